package dev.keelson.http.endpoint;

import dev.keelson.http.ApiResponse;
import io.smallrye.common.annotation.RunOnVirtualThread;
import jakarta.ws.rs.DELETE;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.PATCH;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.PUT;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import org.jboss.resteasy.reactive.server.spi.ServerRequestContext;

/**
 * The deprecated paths of watches below a group version. Every method has a catch-all template, so
 * that nothing below {@code watch} matches an object of a resource of that name.
 */
@Produces(ResponseWriter.TYPE)
@RunOnVirtualThread
abstract class WatchPaths {

  private static final String ANYTHING = "{rest: .+}";

  private final Api api;

  WatchPaths(Api api) {
    this.api = api;
  }

  private ApiResponse answer(ServerRequestContext match) {
    return api.objects(match, MatchedPath.of(match, /* watch= */ true));
  }

  @GET
  @Path("{resource}")
  public ApiResponse watchAll(@Context ServerRequestContext match) {
    return answer(match);
  }

  @GET
  @Path("{resource}/{name}")
  public ApiResponse watchOne(@Context ServerRequestContext match) {
    return answer(match);
  }

  @GET
  @Path("namespaces/{namespace}/{resource}")
  public ApiResponse watchNamespace(@Context ServerRequestContext match) {
    return answer(match);
  }

  @GET
  @Path("namespaces/{namespace}/{resource}/{name}")
  public ApiResponse watchOneInNamespace(@Context ServerRequestContext match) {
    return answer(match);
  }

  @GET
  @Path(ANYTHING)
  public ApiResponse getAnything(@Context ServerRequestContext match) {
    return api.unmatched(match);
  }

  @POST
  @Path(ANYTHING)
  public ApiResponse postAnything(@Context ServerRequestContext match) {
    return api.unmatched(match);
  }

  @PUT
  @Path(ANYTHING)
  public ApiResponse putAnything(@Context ServerRequestContext match) {
    return api.unmatched(match);
  }

  @PATCH
  @Path(ANYTHING)
  public ApiResponse patchAnything(@Context ServerRequestContext match) {
    return api.unmatched(match);
  }

  @DELETE
  @Path(ANYTHING)
  public ApiResponse deleteAnything(@Context ServerRequestContext match) {
    return api.unmatched(match);
  }
}
