import ServiceSupport

/// The problems and warnings that loading a configuration finds, each once and with its line.
struct LoadFindings {
    private(set) var problems: [Problem] = []
    private(set) var warnings: [Problem] = []
    private var listed: Set<Problem> = []
    /// Why files are not trusted; reading one gives the same reason again.
    private let distrust: Set<String>
    private let locations: SettingLocations

    /// Creates findings that begin with files that are not trusted.
    init(_ configuration: ProductionConfiguration, at path: String) {
        locations = configuration.locations
        let untrusted = configuration.trustProblems(path)
        distrust = Set(untrusted.map(\.message))
        problems = untrusted.map(locations.located)
        warnings = configuration.warnings.map(locations.located)
    }

    mutating func report(_ problems: [Problem], warnings: [Problem] = []) {
        let located = problems.filter { !distrust.contains($0.message) }.map(locations.located)
        self.problems += located.filter { listed.insert($0).inserted }
        self.warnings += warnings.map(locations.located)
    }

    /// Returns what is loaded, or reports why it cannot be.
    @discardableResult
    mutating func attempt<Part>(_ setting: String, _ load: () throws -> Part?) -> Part? {
        do throws(OperatorError) {
            return try OperatorError.within(setting, load)
        } catch {
            report(error.problems)
            return nil
        }
    }
}
