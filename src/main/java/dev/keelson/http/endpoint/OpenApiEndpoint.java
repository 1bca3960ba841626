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

/** The OpenAPI documents. */
@Path("/openapi")
@Produces(ResponseWriter.TYPE)
@RunOnVirtualThread
@Singleton
public class OpenApiEndpoint {

  private final Api api;

  @Inject
  public OpenApiEndpoint(Api api) {
    this.api = api;
  }

  @GET
  @Path("v2")
  public ApiResponse getV2(@Context ServerRequestContext match) {
    return Api.document(match, api.openApi());
  }

  @GET
  @Path("v3")
  public ApiResponse listV3(@Context ServerRequestContext match) {
    return Api.document(match, api.openApi());
  }

  @GET
  @Path("v3/{document: .+}")
  public ApiResponse getV3(@Context ServerRequestContext match) {
    return Api.document(match, api.openApi());
  }
}
