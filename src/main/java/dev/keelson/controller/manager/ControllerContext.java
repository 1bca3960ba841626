package dev.keelson.controller.manager;

import dev.keelson.client.election.LeaderTransport;
import dev.keelson.client.election.LeaderWrites;
import dev.keelson.client.rest.ApiClient;
import dev.keelson.client.rest.ApiTransport;
import java.time.InstantSource;
import java.util.function.Function;
import java.util.function.LongSupplier;

/**
 * What controllers are made of.
 *
 * @param own the transport of the user of the election and the informers
 * @param transports the transport of a service account in {@code kube-system}, by its name
 * @param writes the writes of this term
 * @param informers shared by all controllers
 * @param clock for times in objects
 * @param nanos a monotonic clock, in nanoseconds
 */
public record ControllerContext(
    ApiTransport own,
    Function<String, ApiTransport> transports,
    LeaderWrites writes,
    SharedInformers informers,
    InstantSource clock,
    LongSupplier nanos) {

  /** A client of a service account, whose writes are refused when this process does not lead. */
  public ApiClient client(String account) {
    return guarded(transports.apply(account));
  }

  /** A client of the user of the election, whose writes are refused in the same way. */
  public ApiClient ownClient() {
    return guarded(own);
  }

  private ApiClient guarded(ApiTransport transport) {
    return new ApiClient(new LeaderTransport(transport, writes));
  }
}
