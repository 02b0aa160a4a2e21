extension ConfigurationValue {
    /// Reports each anchor and each alias, which is a copy of an anchored value.
    ///
    /// They obscure a file's content, and nested aliases make a small file expand without limit: anchored values are
    /// not examined.
    ///
    /// - Returns: Whether there are any.
    func reportAnchors() -> Bool {
        guard !node.hasAnchor else {
            report("uses an anchor (&). Anchors and aliases are not supported; write the value in each place.")
            return true
        }
        let values = (isList ? list() : []) + (isMapping ? entries().map(\.value) : [])
        return values.reduce(false) { $1.reportAnchors() || $0 }
    }
}
