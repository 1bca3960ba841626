package dev.keelson.http.endpoint;

import dev.keelson.http.ApiResponse;
import dev.keelson.http.RequestHandler;
import io.smallrye.common.annotation.RunOnVirtualThread;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import jakarta.ws.rs.DELETE;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import org.jboss.resteasy.reactive.server.spi.ServerRequestContext;

/** The console: its page, files and session. Without it these paths are unknown. */
@Path("/console")
@Produces(ResponseWriter.TYPE)
@RunOnVirtualThread
@Singleton
public class ConsoleEndpoint {

  private final Api api;

  @Inject
  public ConsoleEndpoint(Api api) {
    this.api = api;
  }

  @GET
  public ApiResponse redirect(@Context ServerRequestContext match) {
    return answer(match);
  }

  @GET
  @Path("{rest:.*}")
  public ApiResponse get(@Context ServerRequestContext match) {
    return answer(match);
  }

  @POST
  @Path("session")
  public ApiResponse begin(@Context ServerRequestContext match) {
    return answer(match);
  }

  @POST
  @Path("session/refresh")
  public ApiResponse refresh(@Context ServerRequestContext match) {
    return answer(match);
  }

  @DELETE
  @Path("session")
  public ApiResponse end(@Context ServerRequestContext match) {
    return answer(match);
  }

  private ApiResponse answer(ServerRequestContext match) {
    RequestHandler console = api.console();
    return console == null ? api.unmatched(match) : Api.document(match, console);
  }
}
