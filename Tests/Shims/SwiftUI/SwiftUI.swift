// What the examples use of SwiftUI in iOS 16, by its names and isolation: https://developer.apple.com/documentation/swiftui

public import Combine
public import UIKit

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
    /// As SwiftUI has it.
    public static func buildBlock<each Content: View>(_ content: repeat each Content) -> Group { Group() }
    /// As SwiftUI has it.
    public static func buildEither(first: some View) -> Group { Group() }
    /// As SwiftUI has it.
    public static func buildEither(second: some View) -> Group { Group() }
    /// As SwiftUI has it.
    public static func buildIf(_ content: (some View)?) -> Group { Group() }
}

/// Views without an arrangement of their own.
public struct Group: View {
    /// As SwiftUI has it.
    nonisolated init() {}
    /// As SwiftUI has it.
    public var body: Never { preconditionFailure("It is only compiled.") }
}

/// Views one below another.
public struct VStack<Content: View>: View {
    /// As SwiftUI has it.
    public init(@ViewBuilder content: () -> Content) {}
    /// As SwiftUI has it.
    public var body: Never { preconditionFailure("It is only compiled.") }
}

/// A line of text.
public struct Text: View {
    /// As SwiftUI has it.
    public init(_ text: String) {}
    /// As SwiftUI has it.
    public var body: Never { preconditionFailure("It is only compiled.") }
}

/// A line of text that the user writes.
public struct TextField: View {
    /// As SwiftUI has it.
    public init(_ title: String, text: Binding<String>) {}
    /// As SwiftUI has it.
    public var body: Never { preconditionFailure("It is only compiled.") }
}

/// A password that the user writes.
public struct SecureField: View {
    /// As SwiftUI has it.
    public init(_ title: String, text: Binding<String>) {}
    /// As SwiftUI has it.
    public var body: Never { preconditionFailure("It is only compiled.") }
}

/// What the user can do.
public struct Button: View {
    /// As SwiftUI has it.
    public init(_ title: String, action: @escaping @MainActor () -> Void) {}
    /// As SwiftUI has it.
    public var body: Never { preconditionFailure("It is only compiled.") }
}

/// A view of UIKit's.
@MainActor @preconcurrency
public protocol UIViewRepresentable: View where Body == Never {
    /// As SwiftUI has it.
    associatedtype UIViewType: UIView
    /// As SwiftUI has it.
    associatedtype Coordinator = Void
    /// As SwiftUI has it.
    typealias Context = UIViewRepresentableContext<Self>

    /// Makes the view.
    func makeUIView(context: Context) -> UIViewType
    /// Updates the view.
    func updateUIView(_ uiView: UIViewType, context: Context)
    /// Makes what the view tells of its events.
    func makeCoordinator() -> Coordinator
    /// Cleans up after the view.
    static func dismantleUIView(_ uiView: UIViewType, coordinator: Coordinator)
}

extension UIViewRepresentable {
    /// As SwiftUI has it.
    public var body: Never { preconditionFailure("It is only compiled.") }
    /// As SwiftUI has it.
    public static func dismantleUIView(_ uiView: UIViewType, coordinator: Coordinator) {}
}

/// What a view of UIKit's can ask.
@MainActor @preconcurrency
public struct UIViewRepresentableContext<Representable: UIViewRepresentable> {
    /// As SwiftUI has it.
    public let coordinator: Representable.Coordinator
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
    /// As SwiftUI has it.
    public var projectedValue: Binding<Value> { Binding(value) }
}

/// A model that a view keeps.
@MainActor @preconcurrency @propertyWrapper
public struct StateObject<Model: ObservableObject> {
    /// As SwiftUI has it.
    public let wrappedValue: Model
    /// As SwiftUI has it.
    public init(wrappedValue: @autoclosure @escaping () -> Model) { self.wrappedValue = wrappedValue() }
}

/// Another's model that a view shows.
@MainActor @preconcurrency @propertyWrapper
public struct ObservedObject<Model: ObservableObject> {
    /// As SwiftUI has it.
    public var wrappedValue: Model
    /// As SwiftUI has it.
    public init(wrappedValue: Model) { self.wrappedValue = wrappedValue }
}

/// What a view reads and writes of another's.
public struct Binding<Value> {
    /// As SwiftUI has it.
    init(_ value: Value) {}
}

/// What a view knows of its surroundings.
@propertyWrapper
public struct Environment<Value> {
    private let value: Value
    /// As SwiftUI has it.
    public init(_ keyPath: KeyPath<EnvironmentValues, Value>) { value = EnvironmentValues()[keyPath: keyPath] }
    /// As SwiftUI has it.
    public var wrappedValue: Value { value }
}

/// The surroundings of a view.
public struct EnvironmentValues {
    /// Whether the app is in the foreground.
    public var scenePhase: ScenePhase { .active }
}

/// Whether an app is in the foreground.
public enum ScenePhase: Sendable {
    case background, inactive, active
}

/// A part of an app's user interface.
@MainActor @preconcurrency
public protocol Scene {}

extension Scene {
    /// Calls a function when a value has changed.
    nonisolated public func onChange<Value: Equatable>(
        of value: Value,
        perform action: @escaping (Value) -> Void
    ) -> some Scene { self }
}

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
