@testable import ServiceSupport

/// Each value is in a line of the text, keys differ, and nothing is deeper than it may be.
@Sendable func fuzzYAML(_ bytes: [UInt8]) {
    guard String(decoding: bytes, as: UTF8.self).utf8.elementsEqual(bytes),
        let root = try? bytes.withUnsafeBufferPointer({ try YAMLDocument.root(of: $0) })
    else { return }
    // Not only LF ends a line in YAML; each other end has a byte of its own, too.
    check(root, depth: 0, lines: 1...bytes.count + 1)
}

private func check(_ node: YAMLNode, depth: Int, lines: ClosedRange<Int>) {
    precondition(depth <= YAMLDocument.maximumDepth && lines.contains(node.line))
    switch node.content {
    case .scalar: break
    case .list(let elements): for element in elements { check(element, depth: depth + 1, lines: lines) }
    case .mapping(let entries):
        for (key, value) in entries {
            check(key, depth: depth + 1, lines: lines)
            check(value, depth: depth + 1, lines: lines)
        }
    }
}
