package dev.keelson.controller.bootstrap;

import dev.keelson.api.ApiException;
import dev.keelson.api.GroupVersionResource;
import dev.keelson.api.Reason;
import dev.keelson.client.DeleteRequest;
import dev.keelson.client.ResourceClient;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.schema.FlowControlDefaults;
import dev.keelson.schema.FlowControlDefaults.Default;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Maintains the mandatory and suggested FlowSchemas and PriorityLevelConfigurations. Missing
 * objects are created. The spec of a mandatory object is restored; that of a suggested one only if
 * the annotation {@code apf.kubernetes.io/autoupdate-spec} is true or, without the annotation, if
 * it was never changed. Other objects with that annotation were defaults of another release and are
 * deleted (source: pkg/registry/flowcontrol/ensurer).
 */
public final class FlowControlBootstrap {

  private static final String AUTOUPDATE = "apf.kubernetes.io/autoupdate-spec";
  private static final String MANAGER = "api-priority-and-fairness-config-producer-v1";
  private static final String GROUP = "flowcontrol.apiserver.k8s.io";
  static final GroupVersionResource LEVELS =
      new GroupVersionResource(GROUP, "v1", "prioritylevelconfigurations");
  static final GroupVersionResource SCHEMAS = new GroupVersionResource(GROUP, "v1", "flowschemas");

  private final ResourceClient client;

  public FlowControlBootstrap(ResourceClient client) {
    this.client = client.as(MANAGER);
  }

  /** Creates, updates and deletes the objects; throws what the client throws. */
  public void ensure() {
    ensure(LEVELS, FlowControlDefaults.priorityLevels());
    ensure(SCHEMAS, FlowControlDefaults.flowSchemas());
    removeOthers(SCHEMAS, FlowControlDefaults.flowSchemas());
    removeOthers(LEVELS, FlowControlDefaults.priorityLevels());
  }

  private void removeOthers(GroupVersionResource resource, List<Default> defaults) {
    Set<String> names = defaults.stream().map(Default::name).collect(Collectors.toSet());
    for (ApiObject object : client.list(resource, "")) {
      if (!names.contains(object.meta().name())
          && isTrue(object.meta().annotations().getOrDefault(AUTOUPDATE, ""))) {
        remove(resource, object);
      }
    }
  }

  /** Deletes an object unless it has changed: the next run decides about what it is then. */
  private void remove(GroupVersionResource resource, ApiObject object) {
    try {
      client.delete(
          resource,
          "",
          object.meta().name(),
          new DeleteRequest(
              object.meta().uid(),
              object.meta().resourceVersion(),
              DeleteRequest.Dependents.DEFAULT));
    } catch (ApiException e) {
      if (e.reason() != Reason.NOT_FOUND && e.reason() != Reason.CONFLICT) {
        throw e;
      }
    }
  }

  private void ensure(GroupVersionResource resource, List<Default> defaults) {
    for (Default each : defaults) {
      Optional<ApiObject> current = client.get(resource, "", each.name());
      if (current.isEmpty()) {
        create(resource, each);
      } else if (!revised(current.get(), each).equals(current.get())) {
        Optional<ApiObject> unused =
            client.change(resource, "", each.name(), found -> revised(found, each));
      }
    }
  }

  private void create(GroupVersionResource resource, Default wanted) {
    MapNode meta =
        MapNode.of("name", Node.text(wanted.name()))
            .with("annotations", MapNode.of(AUTOUPDATE, Node.text("true")));
    try {
      ApiObject unused =
          client.create(
              resource,
              "",
              new ApiObject(MapNode.of("metadata", meta).with("spec", wanted.spec())));
    } catch (ApiException e) {
      if (e.reason() != Reason.ALREADY_EXISTS) {
        throw e;
      }
    }
  }

  private static ApiObject revised(ApiObject current, Default wanted) {
    boolean updated = wanted.mandatory() || updates(current);
    ApiObject next = annotated(current, Boolean.toString(updated));
    if (!updated) {
      return next;
    }
    MapNode spec = wanted.spec();
    MapNode exempt = current.root().map("spec").map("exempt");
    if (wanted.mandatory() && spec.has("exempt") && !exempt.isEmpty()) {
      // administrators may configure the exempt level
      spec = spec.with("exempt", exempt);
    }
    return current.root().map("spec").equals(spec) ? next : next.with("spec", spec);
  }

  private static boolean updates(ApiObject current) {
    String said = current.meta().annotations().getOrDefault(AUTOUPDATE, "");
    return isTrue(said) || (!isFalse(said) && current.meta().generation() == 1);
  }

  private static ApiObject annotated(ApiObject object, String value) {
    String said = object.meta().annotations().getOrDefault(AUTOUPDATE, "");
    if (value.equals("true") ? isTrue(said) : isFalse(said)) {
      return object;
    }
    MapNode annotations = object.root().map("metadata").map("annotations");
    return object.withMeta(
        object.meta().with("annotations", annotations.with(AUTOUPDATE, Node.text(value))));
  }

  private static boolean isTrue(String text) {
    return List.of("1", "t", "T", "true", "TRUE", "True").contains(text);
  }

  private static boolean isFalse(String text) {
    return List.of("0", "f", "F", "false", "FALSE", "False").contains(text);
  }
}
