package dev.keelson.http.health;

import dev.keelson.api.Verb;
import dev.keelson.http.Exchange;
import dev.keelson.http.Query;
import dev.keelson.request.LongRunning;
import dev.keelson.request.RequestInfo;
import dev.keelson.schema.ResourceCatalog;
import dev.keelson.schema.ResourceDefinition;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * The labels of kube-apiserver's request metrics. Only served resources appear, so that requests
 * for arbitrary names do not create metrics without bound.
 *
 * @param verb in upper case, with POST, PUT and APPLY as in kube-apiserver
 * @param group the API group, or empty
 * @param version the version, or empty
 * @param resource the plural, or empty for non-resource requests
 * @param subresource the subresource; the path for the health endpoints
 * @param scope {@code resource} for one object, {@code namespace} or {@code cluster} for many
 * @param dryRun {@code All}, {@code invalid} or empty
 */
public record RequestLabels(
    String verb,
    String group,
    String version,
    String resource,
    String subresource,
    String scope,
    String dryRun) {

  private static final Set<String> METHODS =
      Set.of("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS");
  private static final Set<String> PATHS =
      Set.of("/healthz", "/livez", "/readyz", "/metrics", "/version", "/flagz", "/statusz");
  static final String OTHER = "other";

  private static final Set<String> VALIDATIONS = Set.of("", "Ignore", "Warn", "Strict");

  /** The paths of health, which kube-apiserver counts for no component. */
  private static final Set<String> HEALTH = Set.of("/healthz", "/livez", "/readyz");

  /** The part of the server that answers. */
  String component() {
    return HEALTH.contains(subresource) ? "" : "apiserver";
  }

  /** The same without whether it is a dry run. */
  RequestLabels withoutDryRun() {
    return dryRun.isEmpty()
        ? this
        : new RequestLabels(verb, group, version, resource, subresource, scope, "");
  }

  /** The word of a request for unknown fields; {@code invalid} for several and for any other. */
  static String fieldValidation(Exchange exchange) {
    List<String> words = exchange.request().query().all("fieldValidation");
    if (words.isEmpty()) {
      return "";
    }
    String word = words.getFirst();
    return words.size() == 1 && VALIDATIONS.contains(word) ? word : "invalid";
  }

  /** Computes labels from the currently served resources. */
  public record Source(ResourceCatalog catalog) {

    RequestLabels of(Exchange exchange) {
      return switch (exchange.info()) {
        case RequestInfo.Resource resource -> ofResource(exchange, resource);
        case RequestInfo.NonResource path -> ofPath(exchange, path.path());
      };
    }

    private RequestLabels ofResource(Exchange exchange, RequestInfo.Resource asked) {
      Optional<ResourceDefinition> known = catalog.snapshot().find(asked.gvr());
      String method = exchange.request().method();
      if (known.isEmpty()) {
        return new RequestLabels(method(method), "", "", OTHER, "", "", "");
      }
      String sub = asked.subresource();
      return new RequestLabels(
          LongRunning.connects(sub) ? "CONNECT" : verb(asked.verb(), exchange),
          asked.gvr().group(),
          asked.gvr().version(),
          asked.resource(),
          isServed(known.get(), sub) ? sub : OTHER,
          scope(asked),
          dryRun(exchange.request().query()));
    }

    private static String dryRun(Query query) {
      List<String> values = query.all("dryRun");
      if (values.isEmpty()) {
        return "";
      }
      return values.stream().allMatch("All"::equals) ? "All" : "invalid";
    }

    private static boolean isServed(ResourceDefinition resource, String sub) {
      return sub.isEmpty()
          || resource.subresources().containsKey(sub)
          || (sub.equals("history") && resource.storage() != null);
    }

    private static RequestLabels ofPath(Exchange exchange, String path) {
      int second = path.indexOf('/', 1);
      String root = second < 0 ? path : path.substring(0, second);
      return new RequestLabels(
          method(exchange.request().method()),
          "",
          "",
          "",
          PATHS.contains(root) ? root : "",
          "",
          "");
    }

    private static String method(String method) {
      return METHODS.contains(method) ? method : OTHER;
    }

    private static String verb(Verb verb, Exchange exchange) {
      return switch (verb) {
        case CREATE -> "POST";
        case UPDATE -> "PUT";
        case PATCH ->
            exchange.request().header("content-type").startsWith("application/apply-patch")
                ? "APPLY"
                : "PATCH";
        // a get that asks for a watch is counted as one, though it gets the object
        case GET -> exchange.request().query().flag("watch") ? "WATCH" : "GET";
        case LIST, WATCH, DELETE, DELETE_COLLECTION, CONNECT ->
            verb.word().toUpperCase(Locale.ROOT);
      };
    }

    private static String scope(RequestInfo.Resource asked) {
      if (!asked.name().isEmpty() || asked.verb() == Verb.CREATE) {
        return "resource";
      }
      return asked.namespace().isEmpty() ? "cluster" : "namespace";
    }
  }
}
