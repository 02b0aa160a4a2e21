/// A value of a YAML file.
struct YAMLNode {
    /// A value by the form in which it is written.
    enum Content {
        case scalar(String, YAMLScalarType)
        case list([YAMLNode])
        case mapping([(key: YAMLNode, value: YAMLNode)])
        /// A list or mapping whose tag makes another type of it, such as a set.
        case other
    }

    let content: Content
    /// The line in which it begins, from 1.
    let line: Int
    let hasAnchor: Bool

    /// The text of a scalar of any type.
    var text: String? {
        if case .scalar(let text, _) = content { text } else { nil }
    }

    var type: YAMLScalarType? {
        if case .scalar(_, let type) = content { type } else { nil }
    }
}
