package dev.keelson.flow.rule;

import dev.keelson.request.RequestInfo;
import dev.keelson.request.UserInfo;
import dev.keelson.schema.FlowControlDefaults;
import dev.keelson.schema.FlowControlDefaults.Default;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A consistent set of FlowSchemas and priority levels (source: apf_controller.go, {@code
 * digestConfigObjects}). The mandatory ones are always in it, and no schema names a missing level.
 *
 * @param schemas in the order in which they are asked
 * @param levels by name
 */
public record FlowConfiguration(List<FlowSchema> schemas, Map<String, PriorityLevel> levels) {

  public FlowConfiguration {
    schemas = List.copyOf(schemas);
    levels = Map.copyOf(levels);
  }

  /**
   * Completes what is stored: supplies missing mandatory objects, and leaves out schemas whose
   * level is missing.
   */
  public static FlowConfiguration of(
      Collection<FlowSchema> storedSchemas, Collection<PriorityLevel> storedLevels) {
    Map<String, PriorityLevel> levels = new LinkedHashMap<>();
    storedLevels.forEach(level -> levels.put(level.name(), level));
    for (Default each : FlowControlDefaults.priorityLevels()) {
      if (each.mandatory()) {
        PriorityLevel.of(each.name(), "", each.spec())
            .ifPresent(level -> levels.putIfAbsent(level.name(), level));
      }
    }
    Map<String, FlowSchema> schemas = new LinkedHashMap<>();
    for (FlowSchema schema : storedSchemas) {
      if (levels.containsKey(schema.level())) {
        schemas.put(schema.name(), schema);
      }
    }
    for (Default each : FlowControlDefaults.flowSchemas()) {
      if (each.mandatory()) {
        schemas.putIfAbsent(each.name(), FlowSchema.of(each.name(), "", each.spec()));
      }
    }
    List<FlowSchema> ordered = new ArrayList<>(schemas.values());
    ordered.sort(FlowSchema.ORDER);
    return new FlowConfiguration(ordered, levels);
  }

  /** What every cluster begins with: used until the stored objects have been read. */
  public static FlowConfiguration defaults() {
    List<PriorityLevel> levels = new ArrayList<>();
    for (Default each : FlowControlDefaults.priorityLevels()) {
      PriorityLevel.of(each.name(), "", each.spec()).ifPresent(levels::add);
    }
    return of(
        FlowControlDefaults.flowSchemas().stream()
            .map(each -> FlowSchema.of(each.name(), "", each.spec()))
            .toList(),
        levels);
  }

  /** The schema of a request: the first that matches, or {@code catch-all}. */
  public FlowSchema classify(UserInfo user, RequestInfo request) {
    for (FlowSchema schema : schemas) {
      if (schema.matches(user, request)) {
        return schema;
      }
    }
    return schemas.stream()
        .filter(schema -> schema.name().equals(FlowSchema.CATCH_ALL))
        .findFirst()
        .orElseThrow();
  }
}
