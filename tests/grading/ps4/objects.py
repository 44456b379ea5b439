"""Problem set 4 with classes (unwritten: a solution of every task)."""


class Total:
    def __init__(self):
        self.value = 0

    def plus(self, number):
        self.value += number
        return self.value


def running_sums(numbers):
    total = Total()
    return [total.plus(number) for number in numbers]
