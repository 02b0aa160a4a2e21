#if Emulator
extension Fleet {
    /// Adds a task that was created or imported.
    mutating func insert(_ task: ProtoTask) {
        tasks[task.name] = task
        guard !task.trackingID.isEmpty else { return }
        tracked[Collection.taskTrackingInfo.name(task.trackingID, of: task.name.providerID), default: []]
            .insert(task.name)
    }
}
#endif
