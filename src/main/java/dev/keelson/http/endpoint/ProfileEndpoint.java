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

/** Profiles of the process, one of which is made while its request waits. */
@Path("/debug/pprof")
@Produces(ResponseWriter.TYPE)
@RunOnVirtualThread
@Singleton
public class ProfileEndpoint {

  private final Api api;

  @Inject
  public ProfileEndpoint(Api api) {
    this.api = api;
  }

  @GET
  public ApiResponse index(@Context ServerRequestContext match) {
    return Api.document(match, api.profiles());
  }

  @GET
  @Path("{profile: .+}")
  public ApiResponse profile(@Context ServerRequestContext match) {
    return Api.document(match, api.profiles());
  }
}
