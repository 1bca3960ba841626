package dev.keelson.http.endpoint;

import dev.keelson.http.ApiResponse;
import io.smallrye.common.annotation.RunOnVirtualThread;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import org.jboss.resteasy.reactive.server.spi.ServerRequestContext;

/** The metrics of the server. */
@Path("/metrics")
@Produces(ResponseWriter.TYPE)
@RunOnVirtualThread
@Singleton
public class MetricsEndpoint {

  private final Api api;

  @Inject
  public MetricsEndpoint(Api api) {
    this.api = api;
  }

  @GET
  public ApiResponse get(@Context ServerRequestContext match) {
    return Api.document(match, api.health());
  }

  /** The service level indicators: the results of health checks. */
  @GET
  @Path("slis")
  public ApiResponse indicators(@Context ServerRequestContext match) {
    return Api.document(match, api.health());
  }
}
