package dev.keelson.controller.manager;

import dev.keelson.client.election.LeaderTransport;
import dev.keelson.client.rest.ApiClient;
import dev.keelson.client.rest.ApiTransport;
import java.time.InstantSource;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.LongSupplier;

/**
 * What controllers are made of.
 *
 * @param transports the transport of a service account in {@code kube-system}, by its name
 * @param leads whether this process may write
 * @param informers shared by all controllers
 * @param clock for times in objects
 * @param nanos a monotonic clock, in nanoseconds
 */
public record ControllerContext(
    Function<String, ApiTransport> transports,
    BooleanSupplier leads,
    SharedInformers informers,
    InstantSource clock,
    LongSupplier nanos) {

  /** A client of a service account, whose writes are refused when this process does not lead. */
  public ApiClient client(String account) {
    return new ApiClient(new LeaderTransport(transports.apply(account), leads));
  }
}
