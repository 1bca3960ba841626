package dev.keelson.http.aggregation;

import dev.keelson.aggregation.ApiService;
import dev.keelson.aggregation.ApiServices;
import dev.keelson.api.ApiException;
import dev.keelson.api.ErrorDetails;
import dev.keelson.api.GroupVersion;
import dev.keelson.api.Reason;
import dev.keelson.api.Verb;
import dev.keelson.http.ApiResponse;
import dev.keelson.http.Exchange;
import dev.keelson.http.RequestHandler;
import dev.keelson.request.RequestInfo;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads of this process from group versions that other servers serve: metrics for autoscalers, for
 * instance. Each is asked as the user of the request. Without remote APIServices that is one look
 * at an empty map.
 *
 * @param services which group versions are remote
 * @param fetch asks their servers
 * @param local answers everything else
 */
record RemoteReads(ApiServices services, RemoteFetch fetch, RequestHandler local)
    implements RequestHandler {

  private static final Duration PATIENCE = Duration.ofSeconds(30);

  /** The metrics of a hundred thousand pods are shorter. */
  private static final int MOST_BYTES = 64 * 1024 * 1024;

  @Override
  public ApiResponse answer(Exchange exchange) {
    ApiService remote = remote(exchange.request().path());
    if (remote == null) {
      return local.answer(exchange);
    }
    if (!(exchange.info() instanceof RequestInfo.Resource resource)
        || (resource.verb() != Verb.GET && resource.verb() != Verb.LIST)) {
      throw new ApiException(
          Reason.NOT_IMPLEMENTED,
          "this process only reads from other servers, and does not watch them");
    }
    Duration left = exchange.context().deadline().left();
    try {
      RemoteFetch.Document document =
          fetch.read(
              remote,
              exchange.context().user(),
              exchange.request().uri(),
              left.compareTo(PATIENCE) < 0 ? left : PATIENCE,
              MOST_BYTES);
      return ApiResponse.of(document.status(), "application/json", document.body());
    } catch (IOException e) {
      throw new ApiException(
          Reason.SERVICE_UNAVAILABLE,
          "error trying to reach service: " + e.getMessage(),
          ErrorDetails.NONE,
          e);
    }
  }

  private @Nullable ApiService remote(String path) {
    Map<GroupVersion, ApiService> remotes = services.snapshot().remotes();
    if (remotes.isEmpty()) {
      return null;
    }
    GroupVersion version = VersionPath.versionOf(path);
    return version == null ? null : remotes.get(version);
  }
}
