package dev.keelson.http.options;

import dev.keelson.api.ApiException;
import dev.keelson.api.FieldCause;
import dev.keelson.api.GroupVersionKind;
import dev.keelson.http.ApiRequest;
import dev.keelson.http.Query;
import dev.keelson.http.media.BodyReader;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.registry.write.DeleteQuery;
import dev.keelson.registry.write.DeleteQuery.Propagation;
import dev.keelson.schema.SchemaNode.StructSchema;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Decodes DeleteOptions from the body or, without one, from the query (contract, "DeleteOptions").
 * The body takes precedence, as in Kubernetes.
 */
public final class DeleteOptionsReader {

  private static final GroupVersionKind KIND =
      new GroupVersionKind("meta.k8s.io", "v1", "DeleteOptions");
  private static final Set<String> POLICIES = Set.of("Orphan", "Background", "Foreground");

  /** Deletes an object that cannot be read; has no effect without its feature gate. */
  private static final String UNSAFE = "ignoreStoreReadErrorWithClusterBreakingPotential";

  /** What must not be set together with it, in the order of the causes. */
  private static final List<String> NOT_WITH_UNSAFE =
      List.of(
          "dryRun", "propagationPolicy", "orphanDependents", "gracePeriodSeconds", "preconditions");

  private static final List<String> PRECONDITIONS = List.of("uid", "resourceVersion");

  private final BodyReader reader;
  private final StructSchema schema;

  /** Creates a reader with the schema of DeleteOptions. */
  public DeleteOptionsReader(BodyReader reader, StructSchema schema) {
    this.reader = reader;
    this.schema = schema;
  }

  /**
   * The decoded options.
   *
   * @param keepsDependentsNever whether {@code orphanDependents} is set to false
   * @param sent the fields of DeleteOptions
   */
  public record Options(
      DeleteQuery query, boolean dryRun, boolean keepsDependentsNever, MapNode sent) {}

  /**
   * Decodes the options of the deletion of one object. Without a body, {@code uid} and {@code
   * resourceVersion} in the query are preconditions.
   *
   * @throws ApiException of reason BadRequest or Invalid for invalid options
   */
  public Options read(ApiRequest request) {
    return read(request, true);
  }

  /**
   * Decodes the options of the deletion of a collection, whose {@code resourceVersion} in the query
   * is that of the list.
   *
   * @throws ApiException of reason BadRequest or Invalid for invalid options
   */
  public Options readForCollection(ApiRequest request) {
    return read(request, false);
  }

  private Options read(ApiRequest request, boolean conditional) {
    MapNode options =
        request.body().length == 0
            ? fromQuery(request.query(), conditional)
            : reader.options(request, schema, KIND.kind());
    return of(options, request.query());
  }

  /** Decodes options from a tree, with the query's {@code dryRun}. */
  public static Options of(MapNode options, Query query) {
    MapNode preconditions = options.map("preconditions");
    List<String> dryRun = new ArrayList<>(query.all("dryRun"));
    for (Node item : options.items("dryRun")) {
      if (item instanceof Node.Text text) {
        dryRun.add(text.value());
      }
    }
    MapNode sent = dryRun.isEmpty() ? options : options.with("dryRun", Node.texts(dryRun));
    check(sent);
    return new Options(
        new DeleteQuery(
            condition(preconditions, "uid"),
            condition(preconditions, "resourceVersion"),
            options.get("gracePeriodSeconds") instanceof Node.Int grace ? grace.value() : null,
            propagation(options)),
        QueryOptions.isDryRun(dryRun),
        options.get("orphanDependents") == Node.Bool.FALSE,
        sent);
  }

  /** A precondition; null if it is not there. An empty one is one, too. */
  private static @Nullable String condition(MapNode preconditions, String name) {
    return preconditions.get(name) instanceof Node.Text text ? text.value() : null;
  }

  private static @Nullable Propagation propagation(MapNode options) {
    if (options.get("orphanDependents") instanceof Node.Bool orphan) {
      return orphan.value() ? Propagation.ORPHAN : Propagation.BACKGROUND;
    }
    return switch (options.text("propagationPolicy")) {
      case "Orphan" -> Propagation.ORPHAN;
      case "Background" -> Propagation.BACKGROUND;
      case "Foreground" -> Propagation.FOREGROUND;
      default -> null;
    };
  }

  private static MapNode fromQuery(Query query, boolean conditional) {
    MapNode.Builder options = MapNode.builder(4);
    if (query.has("gracePeriodSeconds")) {
      long seconds = ListOptions.number(query, "gracePeriodSeconds");
      options.put("gracePeriodSeconds", new Node.Int(seconds));
    }
    if (query.has("orphanDependents")) {
      options.put("orphanDependents", Node.Bool.of(query.flag("orphanDependents")));
    }
    if (query.has("propagationPolicy")) {
      options.put("propagationPolicy", Node.text(query.first("propagationPolicy")));
    }
    if (query.has(UNSAFE)) {
      options.put(UNSAFE, Node.Bool.of(query.flag(UNSAFE)));
    }
    if (conditional) {
      MapNode.Builder preconditions = MapNode.builder(2);
      for (String name : PRECONDITIONS) {
        if (!query.first(name).isEmpty()) {
          preconditions.put(name, Node.text(query.first(name)));
        }
      }
      MapNode given = preconditions.build();
      if (!given.isEmpty()) {
        options.put("preconditions", given);
      }
    }
    return options.build();
  }

  private static void check(MapNode options) {
    List<FieldCause> causes = new ArrayList<>();
    if (options.has("propagationPolicy")) {
      String policy = options.text("propagationPolicy");
      if (options.has("orphanDependents")) {
        causes.add(
            FieldCause.invalid(
                "propagationPolicy",
                policy,
                "orphanDependents and deletionPropagation cannot be both set"));
      }
      if (!POLICIES.contains(policy)) {
        causes.add(
            new FieldCause(
                "FieldValueNotSupported",
                "Unsupported value: \""
                    + policy
                    + "\": supported values: \"Foreground\", \"Background\", \"Orphan\", \"nil\"",
                "propagationPolicy"));
      }
    }
    if (options.get(UNSAFE) == Node.Bool.TRUE) {
      for (String other : NOT_WITH_UNSAFE) {
        boolean empty = options.get(other) instanceof Node.Items items && items.values().isEmpty();
        if (options.has(other) && !empty) {
          causes.add(FieldCause.invalid(UNSAFE, true, "cannot be set together with ." + other));
        }
      }
    }
    if (!causes.isEmpty()) {
      throw ApiException.invalid(KIND, "", causes);
    }
  }
}
