// What the examples touch of SwiftUI, by its names and isolation.

/// A piece of a user interface.
@MainActor @preconcurrency
public protocol View {
    /// As SwiftUI has it.
    associatedtype Body: View
    /// As SwiftUI has it.
    @ViewBuilder var body: Body { get }
}

extension Never: View {
    /// As SwiftUI has it.
    public var body: Never { preconditionFailure("There is no value of it.") }
}

/// What `body` is written in.
@resultBuilder
public enum ViewBuilder {
    /// As SwiftUI has it.
    public static func buildBlock<Content: View>(_ content: Content) -> Content { content }
}

/// A line of text.
public struct Text: View {
    /// As SwiftUI has it.
    public init(_ text: String) {}
    /// As SwiftUI has it.
    public var body: Never { preconditionFailure("It is only compiled.") }
}

extension View {
    /// Runs a task for as long as the view is shown.
    nonisolated public func task(_ action: sending @escaping @isolated(any) () async -> Void) -> some View { self }
}

/// What a view keeps.
@propertyWrapper
public struct State<Value> {
    private let value: Value
    /// As SwiftUI has it.
    public init(wrappedValue: Value) { value = wrappedValue }
    /// As SwiftUI has it.
    public var wrappedValue: Value {
        get { value }
        nonmutating set { _ = newValue }
    }
}

/// A part of an app's user interface.
@MainActor @preconcurrency
public protocol Scene {}

/// A group of windows.
public struct WindowGroup<Content: View>: Scene {
    /// As SwiftUI has it.
    public init(@ViewBuilder content: () -> Content) {}
}

/// An app.
@MainActor @preconcurrency
public protocol App {
    /// As SwiftUI has it.
    associatedtype Body: Scene
    /// As SwiftUI has it.
    var body: Body { get }
    /// As SwiftUI has it.
    init()
}

extension App {
    /// As SwiftUI has it.
    public static func main() {}
}
