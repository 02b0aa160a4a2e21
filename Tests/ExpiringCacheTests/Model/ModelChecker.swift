/// Walks through all that can happen to a world, breadth first, until a depth or a number of states is reached.
struct ModelChecker {
    struct Report {
        var states = 1
        var transitions = 0
        /// All sequences of so many actions were walked.
        var depth = 0
        var violation: (description: String, trace: [Action])?
    }

    private struct Node {
        let parent: Int
        let action: Action
    }

    let initial: World
    let deadline: ContinuousClock.Instant
    let maximumDepth: Int

    func run() -> Report {
        var report = Report()
        var nodes: [Node] = []
        var seen: Set<Int> = [initial.fingerprint]
        var frontier: [(world: World, node: Int)] = [(initial, -1)]
        while report.depth < maximumDepth, !frontier.isEmpty {
            var next: [(world: World, node: Int)] = []
            for (world, node) in frontier {
                if ContinuousClock.now > deadline { return report }
                for action in world.actions {
                    report.transitions += 1
                    var successor = world
                    do throws(Violation) {
                        try successor.apply(action)
                        guard seen.insert(successor.fingerprint).inserted else { continue }
                        try successor.checkRecovery()
                    } catch {
                        let trace = trace(to: node, nodes) + [action]
                        report.violation = (error.description, trace)
                        return report
                    }
                    report.states += 1
                    nodes.append(Node(parent: node, action: action))
                    next.append((successor, nodes.count - 1))
                }
            }
            report.depth += 1
            frontier = next
        }
        return report
    }

    private func trace(to node: Int, _ nodes: [Node]) -> [Action] {
        var trace: [Action] = []
        var index = node
        while index >= 0 {
            trace.append(nodes[index].action)
            index = nodes[index].parent
        }
        return trace.reversed()
    }
}
