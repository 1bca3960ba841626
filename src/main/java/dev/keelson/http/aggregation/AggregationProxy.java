package dev.keelson.http.aggregation;

import dev.keelson.aggregation.ApiService;
import dev.keelson.aggregation.ApiServices;
import dev.keelson.api.GroupVersion;
import dev.keelson.http.ApiRequest;
import dev.keelson.http.RequestHandler;
import dev.keelson.http.connection.Delegation;
import io.vertx.core.Context;
import io.vertx.core.http.HttpServerRequest;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Finds the requests for group versions that other servers serve, and passes them on. Without
 * remote APIServices that is one look at an empty map.
 *
 * @param services which group versions are remote
 * @param openApi which OpenAPI documents are
 * @param upstreams how their servers are reached
 */
public record AggregationProxy(ApiServices services, RemoteOpenApi openApi, Upstreams upstreams)
    implements Delegation {

  @Override
  public @Nullable Passage passage(ApiRequest head, HttpServerRequest request, Context context) {
    Map<GroupVersion, ApiService> remotes = services.snapshot().remotes();
    if (remotes.isEmpty()) {
      return null;
    }
    GroupVersion version = VersionPath.versionOf(head.path());
    ApiService remote = version == null ? openApi.owner(head.path()) : remotes.get(version);
    return remote == null ? null : new ProxiedRequest(upstreams, remote, request, context);
  }

  @Override
  public RequestHandler withinProcess(RequestHandler local) {
    return new RemoteReads(
        services, new RemoteFetch(upstreams.clients(), upstreams.resolver()), local);
  }
}
