package dev.keelson.http.aggregation;

import dev.keelson.aggregation.ApiService;
import dev.keelson.aggregation.ApiServices;
import dev.keelson.api.GroupVersion;
import dev.keelson.http.ApiRequest;
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
    GroupVersion version = versionOf(head.path());
    ApiService remote = version == null ? openApi.owner(head.path()) : remotes.get(version);
    return remote == null ? null : new ProxiedRequest(upstreams, remote, request, context);
  }

  /** The group version of a path, null if it has none. */
  static @Nullable GroupVersion versionOf(String path) {
    String[] steps = path.split("/", 5);
    if (steps.length >= 4 && steps[1].equals("apis") && !steps[2].isEmpty()) {
      return steps[3].isEmpty() ? null : new GroupVersion(steps[2], steps[3]);
    }
    return steps.length >= 3 && steps[1].equals("api") && !steps[2].isEmpty()
        ? new GroupVersion("", steps[2])
        : null;
  }
}
