/// A value of a YAML file.
struct YAMLNode {
    /// A value by the form in which it is written.
    enum Content {
        /// A scalar without quotes may be a number or a Boolean, if a setting is one.
        case scalar(String, isPlain: Bool)
        case list([YAMLNode])
        case mapping([(key: YAMLNode, value: YAMLNode)])
    }

    let content: Content
    /// The line in which it begins, from 1.
    let line: Int

    /// The text of a scalar of any type.
    var text: String? {
        if case .scalar(let text, _) = content { text } else { nil }
    }

    /// The text of a scalar without quotes.
    var plainText: String? {
        if case .scalar(let text, isPlain: true) = content { text } else { nil }
    }
}
