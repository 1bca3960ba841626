package dev.keelson.http.verb;

import dev.keelson.http.Query;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.object.ObjectMeta;
import dev.keelson.schema.ResourceDefinition;
import java.util.ArrayList;
import java.util.List;

/**
 * Removes the fields of an object that a client cannot set, so that it can be created elsewhere
 * (contract, "export" and "exact"; in Kubernetes up to 1.17).
 */
final class ExportStrategy {

  /** Fields that only the server sets, removed in any case. */
  private static final List<String> SERVER_FIELDS =
      List.of(
          "uid",
          "creationTimestamp",
          "deletionTimestamp",
          "deletionGracePeriodSeconds",
          "resourceVersion",
          "selfLink",
          "generation",
          "managedFields");

  private ExportStrategy() {}

  static boolean asked(Query query) {
    return query.flag("export");
  }

  /**
   * Exports an object.
   *
   * @param exact whether to keep cluster-specific fields: the namespace, a generated name, the
   *     addresses of a Service
   */
  static ApiObject of(ApiObject object, ResourceDefinition definition, boolean exact) {
    MapNode meta = object.meta().node();
    for (String field : SERVER_FIELDS) {
      meta = meta.without(field);
    }
    if (!exact) {
      meta = meta.without("namespace");
      if (!meta.text("generateName").isEmpty()) {
        meta = meta.without("name");
      }
    }
    ApiObject left = object.withMeta(new ObjectMeta(meta));
    if (definition.subresources().containsKey("status")) {
      left = left.without("status");
    }
    boolean service = definition.kind().equals("Service") && definition.gvr().group().isEmpty();
    return service && !exact ? withoutAddresses(left) : left;
  }

  private static ApiObject withoutAddresses(ApiObject service) {
    MapNode spec = service.root().map("spec");
    if (!spec.text("clusterIP").equals("None")) {
      spec = spec.without("clusterIP").without("clusterIPs");
    }
    if (spec.has("ports")) {
      List<Node> ports = new ArrayList<>();
      for (Node port : spec.items("ports")) {
        ports.add(port instanceof MapNode map ? map.without("nodePort") : port);
      }
      spec = spec.with("ports", new Node.Items(ports));
    }
    return service.with("spec", spec);
  }
}
