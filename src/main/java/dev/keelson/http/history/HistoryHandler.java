package dev.keelson.http.history;

import dev.keelson.http.ApiResponse;
import dev.keelson.http.Exchange;
import dev.keelson.http.PathErrors;
import dev.keelson.http.RequestHandler;
import dev.keelson.http.media.BodyWriter;
import dev.keelson.http.verb.ResourceHandler;
import dev.keelson.registry.Collection;
import dev.keelson.registry.generic.GenericRegistry;
import dev.keelson.registry.read.ObjectHistory;
import dev.keelson.request.RequestInfo;
import dev.keelson.schema.ResourceCatalog;
import dev.keelson.schema.ResourceDefinition;
import java.util.Optional;

/**
 * Answers requests for {@code OBJECT/history} of stored types; all others go on. The subresource is
 * in no discovery document and in no OpenAPI document of a Kubernetes group: those stay as clients
 * know them.
 *
 * <p>The request itself is authorized as the verb get or create of {@code RESOURCE/history}. On top
 * of it a reader must be allowed to get the object, and one who brings it back to update or create
 * it, so that the history never gives more than the object does.
 */
public final class HistoryHandler implements RequestHandler {

  private static final String HISTORY = "history";

  private final RequestHandler next;
  private final ResourceCatalog catalog;
  private final ObjectRights rights;
  private final RevisionList revisions;
  private final RevisionDiff diffs;
  private final Restoration restoration;

  /**
   * A handler in front of another.
   *
   * @param rights authorizes what a request needs besides the subresource
   */
  public HistoryHandler(
      RequestHandler next,
      ResourceCatalog catalog,
      GenericRegistry registry,
      ObjectHistory history,
      BodyWriter writer,
      ObjectRights rights) {
    this.next = next;
    this.catalog = catalog;
    this.rights = rights;
    revisions = new RevisionList(registry, history);
    diffs = new RevisionDiff(registry, history);
    restoration = new Restoration(registry, history, writer, rights);
  }

  @Override
  public ApiResponse answer(Exchange exchange) {
    if (exchange.info() instanceof RequestInfo.Resource info
        && info.subresource().equals(HISTORY)
        && !info.watchPath()) {
      Optional<ResourceDefinition> stored = stored(info);
      if (stored.isPresent()) {
        return answer(exchange, info, stored.get());
      }
    }
    return next.answer(exchange);
  }

  /** The resource, if its objects are stored and it has no such subresource of its own. */
  private Optional<ResourceDefinition> stored(RequestInfo.Resource info) {
    ResourceCatalog.Snapshot served = catalog.current();
    return served
        .find(info.gvr())
        .filter(served::serves)
        .filter(found -> found.storage() != null && !found.subresources().containsKey(HISTORY));
  }

  private ApiResponse answer(
      Exchange exchange, RequestInfo.Resource info, ResourceDefinition definition) {
    String method = exchange.request().method();
    ResourceHandler.checkPath(method, info, definition);
    ResourceHandler.checkName(info);
    Collection collection =
        new Collection(definition, definition.namespaced() ? info.namespace() : "");
    return switch (method) {
      case "GET" -> {
        rights.require(exchange.context().user(), "get", info);
        yield exchange.request().query().has("diff")
            ? diffs.answer(exchange.request(), collection, info.name())
            : revisions.answer(exchange.request(), collection, info.name());
      }
      case "POST" -> restoration.answer(exchange, collection, info);
      default -> throw PathErrors.notAllowed();
    };
  }
}
