from regiht import lowrank

name = "regiht, regularized-iht"
module = None


def complete(problem, rank):
    objective = lowrank.Completion(
        problem.rows, problem.cols, problem.values, problem.shape, ridge=problem.ridge
    )
    found = lowrank.solve(objective, rank, method="regularized-iht", n_threads=1)
    return found.U * found.s, found.V
