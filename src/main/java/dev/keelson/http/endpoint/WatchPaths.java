package dev.keelson.http.endpoint;

import dev.keelson.http.Answer;
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
 * The deprecated paths of watches below a group version. Every method has a template that takes
 * what the others leave, so that nothing below {@code watch} is taken for an object of a resource
 * of that name.
 */
@Produces(AnswerWriter.TYPE)
@RunOnVirtualThread
abstract class WatchPaths {

  private static final String ANYTHING = "{rest: .+}";

  private final Api api;

  WatchPaths(Api api) {
    this.api = api;
  }

  private Answer answer(ServerRequestContext match) {
    return api.objects(match, MatchedPath.of(match, /* watch= */ true));
  }

  @GET
  @Path("{resource}")
  public Answer watchAll(@Context ServerRequestContext match) {
    return answer(match);
  }

  @GET
  @Path("{resource}/{name}")
  public Answer watchOne(@Context ServerRequestContext match) {
    return answer(match);
  }

  @GET
  @Path("namespaces/{namespace}/{resource}")
  public Answer watchNamespace(@Context ServerRequestContext match) {
    return answer(match);
  }

  @GET
  @Path("namespaces/{namespace}/{resource}/{name}")
  public Answer watchOneInNamespace(@Context ServerRequestContext match) {
    return answer(match);
  }

  @GET
  @Path(ANYTHING)
  public Answer getAnything(@Context ServerRequestContext match) {
    return api.unmatched(match);
  }

  @POST
  @Path(ANYTHING)
  public Answer postAnything(@Context ServerRequestContext match) {
    return api.unmatched(match);
  }

  @PUT
  @Path(ANYTHING)
  public Answer putAnything(@Context ServerRequestContext match) {
    return api.unmatched(match);
  }

  @PATCH
  @Path(ANYTHING)
  public Answer patchAnything(@Context ServerRequestContext match) {
    return api.unmatched(match);
  }

  @DELETE
  @Path(ANYTHING)
  public Answer deleteAnything(@Context ServerRequestContext match) {
    return api.unmatched(match);
  }
}
