package dev.keelson.http.verb;

import dev.keelson.api.ApiException;
import dev.keelson.api.FieldCause;
import dev.keelson.api.GroupVersionKind;
import dev.keelson.http.ApiRequest;
import dev.keelson.http.Query;
import dev.keelson.http.media.BodyReader;
import dev.keelson.object.MapNode;
import dev.keelson.object.Node;
import dev.keelson.registry.DeleteQuery;
import dev.keelson.schema.StructSchema;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Reads how to delete from the optional body or, without one, from the query (contract,
 * "DeleteOptions"). A body wins over the query, as in Kubernetes.
 */
final class DeleteOptionsReader {

  private static final GroupVersionKind KIND =
      new GroupVersionKind("meta.k8s.io", "v1", "DeleteOptions");
  private static final Set<String> POLICIES = Set.of("Orphan", "Background", "Foreground");

  private final BodyReader reader;
  private final StructSchema schema;

  DeleteOptionsReader(BodyReader reader, StructSchema schema) {
    this.reader = reader;
    this.schema = schema;
  }

  /** What a delete asks for. */
  record Options(DeleteQuery query, boolean dryRun) {}

  Options read(ApiRequest request) {
    MapNode options =
        request.body().length == 0
            ? fromQuery(request.query())
            : reader.options(request, schema, KIND.kind());
    check(options);
    MapNode preconditions = options.map("preconditions");
    List<String> dryRun = new ArrayList<>(request.query().all("dryRun"));
    for (Node item : options.items("dryRun")) {
      if (item instanceof Node.Text text) {
        dryRun.add(text.value());
      }
    }
    return new Options(
        new DeleteQuery(preconditions.text("uid"), preconditions.text("resourceVersion")),
        QueryOptions.isDryRun(dryRun));
  }

  private static MapNode fromQuery(Query query) {
    MapNode.Builder options = MapNode.builder(3);
    if (query.has("gracePeriodSeconds")) {
      String value = query.first("gracePeriodSeconds");
      try {
        options.put("gracePeriodSeconds", new Node.Int(Long.parseLong(value)));
      } catch (NumberFormatException e) {
        throw ApiException.badRequest(
            "gracePeriodSeconds: the value \"" + value + "\" is not a whole number of seconds");
      }
    }
    if (query.has("orphanDependents")) {
      options.put("orphanDependents", Node.Bool.of(query.flag("orphanDependents")));
    }
    if (query.has("propagationPolicy")) {
      options.put("propagationPolicy", Node.text(query.first("propagationPolicy")));
    }
    return options.build();
  }

  private static void check(MapNode options) {
    List<FieldCause> causes = new ArrayList<>();
    String policy = options.text("propagationPolicy");
    if (!policy.isEmpty() && options.has("orphanDependents")) {
      causes.add(
          FieldCause.invalid(
              "propagationPolicy",
              policy,
              "orphanDependents and deletionPropagation cannot be both set"));
    } else if (!policy.isEmpty() && !POLICIES.contains(policy)) {
      causes.add(
          FieldCause.invalid(
              "propagationPolicy",
              policy,
              "DeletionPropagationPolicy need to be one of \"Foreground\", \"Background\", \"Orphan\" or nil"));
    }
    if (options.get("gracePeriodSeconds") instanceof Node.Int grace && grace.value() < 0) {
      causes.add(
          FieldCause.invalid(
              "gracePeriodSeconds", grace.value(), "must be greater than or equal to 0"));
    }
    if (!causes.isEmpty()) {
      throw ApiException.invalid(KIND, "", causes);
    }
  }
}
