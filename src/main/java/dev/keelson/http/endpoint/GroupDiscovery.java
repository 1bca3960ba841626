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

/** The named groups and their versions. */
@Path("/apis")
@Produces(ResponseWriter.TYPE)
@RunOnVirtualThread
@Singleton
public class GroupDiscovery {

  private final Api api;

  @Inject
  public GroupDiscovery(Api api) {
    this.api = api;
  }

  @GET
  public ApiResponse listGroups(@Context ServerRequestContext match) {
    return Api.document(match, api.discovery());
  }

  @GET
  @Path("{group}")
  public ApiResponse getGroup(@Context ServerRequestContext match) {
    return Api.document(match, api.discovery());
  }
}
