/// The automaton of a pattern (Glushkov's): one position for each byte that the pattern names, and which may follow
/// which.
///
/// It has no empty transitions, so a run reads each byte once and visits each position at most once per byte: the worst
/// case is bytes times positions, for every pattern.
struct PositionAutomaton: Hashable, Sendable {
    /// The result of a run.
    struct Run: Hashable {
        /// Whether the text was accepted as a whole.
        var isAccepted: Bool
        /// The number of visited positions.
        var steps: Int
    }

    /// The positions at which a text may begin.
    private var first = PositionSet()
    /// The positions at which a text may end.
    private var last = PositionSet()
    /// Whether the empty text is accepted.
    private var acceptsNothing = false
    /// For each position those that may come next.
    private var followers: [PositionSet] = []
    private var takers = [PositionSet](repeating: .init(), count: 256)

    /// Creates the automaton of a pattern whose size is at most ``PositionSet/capacity``.
    init(_ syntax: IDPatternSyntax) {
        let whole = add(syntax)
        first = whole.first
        last = whole.last
        acceptsNothing = whole.isOptional
    }

    func run(_ text: some Sequence<UInt8>) -> Run {
        var run = Run(isAccepted: acceptsNothing, steps: 0)
        var expected = first
        for byte in text {
            let current = expected.intersection(takers[Int(byte)])
            guard !current.isEmpty else { return Run(isAccepted: false, steps: run.steps) }
            run.isAccepted = isEnd(current)
            expected = followers(of: current, counting: &run.steps)
        }
        return run
    }

    private func isEnd(_ current: PositionSet) -> Bool {
        !current.intersection(last).isEmpty
    }

    private func followers(of current: PositionSet, counting steps: inout Int) -> PositionSet {
        var expected = PositionSet()
        for position in current {
            steps += 1
            expected.formUnion(followers[position])
        }
        return expected
    }
}

// MARK: - Construction

extension PositionAutomaton {
    /// A part of the pattern: where it can begin and end, and whether it can be empty.
    private struct Part {
        var first = PositionSet()
        var last = PositionSet()
        var isOptional = true
    }

    private mutating func add(_ syntax: IDPatternSyntax) -> Part {
        switch syntax {
        case .byte(let bytes): return add(bytes)
        case .sequence(let parts):
            return parts.reduce(into: Part()) { whole, part in append(add(part), to: &whole) }
        case .alternatives(let parts):
            return parts.map { add($0) }
                .reduce(into: Part(isOptional: false)) { whole, part in
                    whole.first.formUnion(part.first)
                    whole.last.formUnion(part.last)
                    whole.isOptional = whole.isOptional || part.isOptional
                }
        case .repeated(let part, let times):
            return (1...times.upperBound).reduce(into: Part()) { whole, time in
                var copy = add(part)
                copy.isOptional = copy.isOptional || time > times.lowerBound
                append(copy, to: &whole)
            }
        case .repeatedEndlessly(let part):
            let part = add(part)
            connect(part.last, to: part.first)
            return part
        }
    }

    private mutating func add(_ bytes: Set<UInt8>) -> Part {
        let position = followers.count
        followers.append(PositionSet())
        for byte in bytes { takers[Int(byte)].insert(position) }
        var only = PositionSet()
        only.insert(position)
        return Part(first: only, last: only, isOptional: false)
    }

    private mutating func append(_ part: Part, to whole: inout Part) {
        connect(whole.last, to: part.first)
        if whole.isOptional { whole.first.formUnion(part.first) }
        whole.last = part.isOptional ? whole.last.union(part.last) : part.last
        whole.isOptional = whole.isOptional && part.isOptional
    }

    private mutating func connect(_ positions: PositionSet, to next: PositionSet) {
        for position in positions { followers[position].formUnion(next) }
    }
}

// MARK: - What it accepts

extension PositionAutomaton {
    /// The maximum number of states that ``acceptsAll(of:upTo:)`` explores.
    private static let maximumSituations = 1000

    /// Returns whether the automaton accepts all texts of the given bytes up to a length.
    ///
    /// It also returns true if this cannot be decided with reasonable work. Then all texts up to some length are
    /// accepted, and the pattern is needlessly complex.
    func acceptsAll(of bytes: [UInt8], upTo length: Int) -> Bool {
        var seen: Set<PositionSet> = [first]
        var latest: Set<PositionSet> = [first]
        var steps = 0
        for _ in 1...length where !latest.isEmpty && seen.count <= Self.maximumSituations {
            var next: Set<PositionSet> = []
            for expected in latest {
                for byte in bytes {
                    let current = expected.intersection(takers[Int(byte)])
                    guard isEnd(current) else { return false }
                    next.insert(followers(of: current, counting: &steps))
                }
            }
            latest = next.subtracting(seen)
            seen.formUnion(latest)
        }
        return true
    }
}
