package dev.keelson.controller.bootstrap;

import dev.keelson.client.ResourceClient;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Maintains the condition Dangling of every FlowSchema: whether the priority level that it names is
 * missing (source: apiserver/pkg/util/flowcontrol, {@code syncFlowSchemaStatus}). {@code kubectl
 * get} shows it in the column MissingPL.
 */
public final class FlowSchemaReferences {

  private static final String DANGLING = "Dangling";
  private static final String MANAGER = "api-priority-and-fairness-config-consumer-v1";

  private final ResourceClient client;
  private final InstantSource clock;

  public FlowSchemaReferences(ResourceClient client, InstantSource clock) {
    this.client = client.as(MANAGER);
    this.clock = clock;
  }

  /** Updates the conditions that are missing or wrong; throws what the client throws. */
  public void ensure() {
    List<ApiObject> schemas = client.list(FlowControlBootstrap.SCHEMAS, "");
    if (schemas.isEmpty()) {
      return;
    }
    Set<String> levels =
        client.list(FlowControlBootstrap.LEVELS, "").stream()
            .map(level -> level.meta().name())
            .collect(Collectors.toSet());
    for (ApiObject schema : schemas) {
      if (!checked(schema, levels).equals(schema)) {
        Optional<ApiObject> unused =
            client.changeStatus(
                FlowControlBootstrap.SCHEMAS,
                "",
                schema.meta().name(),
                found -> checked(found, levels));
      }
    }
  }

  /** The FlowSchema with its condition; the same object if the condition is right. */
  private ApiObject checked(ApiObject schema, Set<String> levels) {
    String level = schema.root().map("spec").map("priorityLevelConfiguration").text("name");
    boolean exists = levels.contains(level);
    String holds = exists ? "False" : "True";
    String reason = exists ? "Found" : "NotFound";
    String message = message(level, exists);
    MapNode status = schema.root().map("status");
    List<Node> conditions = new ArrayList<>();
    for (MapNode condition : status.maps("conditions")) {
      if (!condition.text("type").equals(DANGLING)) {
        conditions.add(condition);
      } else if (condition.text("status").equals(holds)
          && condition.text("reason").equals(reason)
          && condition.text("message").equals(message)) {
        return schema;
      }
    }
    conditions.add(
        MapNode.builder(5)
            .put("type", Node.text(DANGLING))
            .put("status", Node.text(holds))
            .put(
                "lastTransitionTime",
                Node.text(clock.instant().truncatedTo(ChronoUnit.SECONDS).toString()))
            .put("reason", Node.text(reason))
            .put("message", Node.text(message))
            .build());
    return schema.with("status", status.with("conditions", new Node.Items(conditions)));
  }

  private static String message(String level, boolean exists) {
    return "This FlowSchema references the PriorityLevelConfiguration object named \""
        + level
        + "\" "
        + (exists ? "and it exists" : "but there is no such object");
  }
}
