import TestRandomness

extension SeededGenerator {
    /// A number from zero up to a bound.
    mutating func next(below bound: Double) -> Double {
        Double.random(in: 0..<bound, using: &self)
    }
}
