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

/** The OpenID metadata of the service account issuer (KEP-1393). */
@Path("/")
@Produces(ResponseWriter.TYPE)
@RunOnVirtualThread
@Singleton
public class IssuerEndpoint {

  private final Api api;

  @Inject
  public IssuerEndpoint(Api api) {
    this.api = api;
  }

  @GET
  @Path(".well-known/openid-configuration")
  public ApiResponse getConfiguration(@Context ServerRequestContext match) {
    return Api.document(match, api.issuer());
  }

  @GET
  @Path("openid/v1/jwks")
  public ApiResponse getKeys(@Context ServerRequestContext match) {
    return Api.document(match, api.issuer());
  }
}
