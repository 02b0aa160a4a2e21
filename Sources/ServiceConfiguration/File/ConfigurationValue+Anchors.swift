import Yams

extension ConfigurationValue {
    /// Reports each anchor, and so each alias, which is a copy of what has one.
    ///
    /// They hide what a file says, and aliases of aliases make a small file endless: what has an anchor is not looked into.
    ///
    /// - Returns: Whether there are any.
    func reportAnchors() -> Bool {
        guard node.anchor == nil else {
            report("has an anchor (&), and aliases are not read. Write the value at each place.")
            return true
        }
        let values = (isList ? list() : []) + (isMapping ? entries().map(\.value) : [])
        return values.reduce(false) { $1.reportAnchors() || $0 }
    }
}
