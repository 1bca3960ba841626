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

/** The health endpoints and their single checks. */
@Path("/")
@Produces(ResponseWriter.TYPE)
@RunOnVirtualThread
@Singleton
public class HealthEndpoint {

  private final Api api;

  @Inject
  public HealthEndpoint(Api api) {
    this.api = api;
  }

  @GET
  @Path("healthz")
  public ApiResponse healthz(@Context ServerRequestContext match) {
    return Api.document(match, api.health());
  }

  @GET
  @Path("healthz/{check: .+}")
  public ApiResponse healthzOf(@Context ServerRequestContext match) {
    return Api.document(match, api.health());
  }

  @GET
  @Path("livez")
  public ApiResponse livez(@Context ServerRequestContext match) {
    return Api.document(match, api.health());
  }

  @GET
  @Path("livez/{check: .+}")
  public ApiResponse livezOf(@Context ServerRequestContext match) {
    return Api.document(match, api.health());
  }

  @GET
  @Path("readyz")
  public ApiResponse readyz(@Context ServerRequestContext match) {
    return Api.document(match, api.health());
  }

  @GET
  @Path("readyz/{check: .+}")
  public ApiResponse readyzOf(@Context ServerRequestContext match) {
    return Api.document(match, api.health());
  }
}
