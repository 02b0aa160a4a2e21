import ServiceSupport

/// The problems and warnings that loading a configuration finds, each once and with its line.
struct LoadFindings {
    private(set) var problems: [Problem] = []
    private(set) var warnings: [Problem] = []
    private var listed: Set<Problem> = []
    private let locations: SettingLocations

    /// Creates findings that begin with the configuration's own warnings.
    init(_ configuration: ProductionConfiguration) {
        locations = configuration.locations
        warnings = configuration.warnings.map(locations.located)
    }

    mutating func report(_ problems: [Problem], warnings: [Problem] = []) {
        self.problems += problems.map(locations.located).filter { listed.insert($0).inserted }
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
