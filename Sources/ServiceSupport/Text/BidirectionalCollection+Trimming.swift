extension BidirectionalCollection {
    /// Returns the collection without the elements at its ends that satisfy a condition.
    package func trimming(while condition: (Element) -> Bool) -> SubSequence {
        let rest = drop(while: condition)
        guard let end = rest.lastIndex(where: { !condition($0) }) else { return rest }
        return rest[...end]
    }
}
