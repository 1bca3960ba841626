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

/** The list of paths. */
@Path("/")
@Produces(ResponseWriter.TYPE)
@RunOnVirtualThread
@Singleton
public class RootEndpoint {

  private final Api api;

  @Inject
  public RootEndpoint(Api api) {
    this.api = api;
  }

  @GET
  public ApiResponse list(@Context ServerRequestContext match) {
    return Api.document(match, api.root());
  }

  @GET
  @Path("index.html")
  public ApiResponse listAsPage(@Context ServerRequestContext match) {
    return Api.document(match, api.root());
  }
}
