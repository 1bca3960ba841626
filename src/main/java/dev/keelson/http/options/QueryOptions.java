package dev.keelson.http.options;

import dev.keelson.api.ApiException;
import dev.keelson.api.FieldCause;
import dev.keelson.api.FieldSelector;
import dev.keelson.api.GroupVersionKind;
import dev.keelson.api.LabelSelector;
import dev.keelson.api.Verb;
import dev.keelson.http.ApiRequest;
import dev.keelson.http.Exchange;
import dev.keelson.http.Query;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.registry.AdmissionScope;
import dev.keelson.registry.WriteOptions;
import dev.keelson.registry.fieldmanager.ManagerNames;
import dev.keelson.registry.read.ListQuery;
import dev.keelson.registry.read.ListQuery.Uninitialized;
import dev.keelson.request.RequestContext;
import java.util.List;

/** The parameters that several verbs share (contract, "Query parameters"). */
public final class QueryOptions {

  /** Whether to include uninitialized objects. */
  public static final String UNINITIALIZED = "includeUninitialized";

  private static final List<String> TEXT_OPTIONS = List.of("fieldManager", "fieldValidation");

  private static final String UNKNOWN_MANAGER = "unknown";

  private QueryOptions() {}

  /** Uninitialized objects are hidden if the feature gate adds the parameter. */
  public static ListQuery selection(Query query) {
    return new ListQuery(
        LabelSelector.parse(query.first("labelSelector")),
        FieldSelector.parse(query.first("fieldSelector")),
        query.has(UNINITIALIZED) && !query.flag(UNINITIALIZED)
            ? Uninitialized.HIDDEN
            : Uninitialized.SHOWN);
  }

  /**
   * Validates {@code fieldManager}.
   *
   * @throws ApiException of reason Invalid if it is too long or not printable
   */
  private static void checkFieldManager(Verb verb, Query query) {
    List<FieldCause> causes = ManagerNames.causes("fieldManager", query.first("fieldManager"));
    if (!causes.isEmpty()) {
      throw ApiException.invalid(
          new GroupVersionKind("meta.k8s.io", "v1", optionsKind(verb)), "", causes);
    }
  }

  private static String optionsKind(Verb verb) {
    return switch (verb) {
      case CREATE -> "CreateOptions";
      case UPDATE -> "UpdateOptions";
      default -> "PatchOptions";
    };
  }

  /**
   * Parses the write options: {@code dryRun}, {@code fieldManager}.
   *
   * @param creation throws if the user may not create the object
   * @throws ApiException of reason BadRequest or Invalid for an invalid value
   */
  public static WriteOptions write(Exchange exchange, Verb verb, Runnable creation) {
    Query query = exchange.request().query();
    boolean dryRun = isDryRun(query.all("dryRun"));
    checkFieldManager(verb, query);
    return write(exchange, verb, dryRun, sentOptions(query), creation);
  }

  /**
   * Parses the write options with a given dry run.
   *
   * @param sent the fields of the options object as the client sent them
   */
  public static WriteOptions write(
      Exchange exchange, Verb verb, boolean dryRun, MapNode sent, Runnable creation) {
    RequestContext context = exchange.context();
    return new WriteOptions(
        dryRun,
        fieldManager(exchange.request()),
        context.user(),
        context::warn,
        creation,
        new AdmissionScope(verb, /* admitted= */ true, sent, context, context.deadline()));
  }

  /** The fields of CreateOptions, UpdateOptions or PatchOptions in a query. */
  private static MapNode sentOptions(Query query) {
    if (query.values().isEmpty()) {
      return MapNode.EMPTY;
    }
    MapNode.Builder options = MapNode.builder(4);
    List<String> dryRun = query.all("dryRun");
    if (!dryRun.isEmpty()) {
      options.put("dryRun", Node.texts(dryRun));
    }
    if (query.flag("force")) {
      options.put("force", Node.Bool.TRUE);
    }
    for (String name : TEXT_OPTIONS) {
      String value = query.first(name);
      if (!value.isEmpty()) {
        options.put(name, Node.text(value));
      }
    }
    return options.build();
  }

  /**
   * Whether the write is a dry run.
   *
   * @throws ApiException of reason BadRequest for a value other than {@code All}
   */
  static boolean isDryRun(List<String> dryRun) {
    for (String value : dryRun) {
      if (!value.equals("All")) {
        throw ApiException.badRequest(
            "dryRun: Unsupported value: \"" + value + "\": supported values: \"All\"");
      }
    }
    return !dryRun.isEmpty();
  }

  /**
   * The field manager: the parameter, else the User-Agent up to the first slash, else {@code
   * unknown} (source: KEP-555).
   */
  private static String fieldManager(ApiRequest request) {
    String manager = request.query().first("fieldManager");
    if (manager.isEmpty()) {
      String agent = request.header("user-agent");
      int slash = agent.indexOf('/');
      manager = ManagerNames.of(slash < 0 ? agent : agent.substring(0, slash));
    }
    return manager.isEmpty() ? UNKNOWN_MANAGER : manager;
  }
}
