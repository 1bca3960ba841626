package dev.keelson.http.endpoint;

import dev.keelson.http.Answer;
import io.smallrye.common.annotation.RunOnVirtualThread;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import org.jboss.resteasy.reactive.server.spi.ServerRequestContext;

/** The health of the server, whole or one check at a time. */
@Path("/")
@Produces(AnswerWriter.TYPE)
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
  public Answer healthz(@Context ServerRequestContext match) {
    return Api.document(match, api.health());
  }

  @GET
  @Path("healthz/{check: .+}")
  public Answer healthzOf(@Context ServerRequestContext match) {
    return Api.document(match, api.health());
  }

  @GET
  @Path("livez")
  public Answer livez(@Context ServerRequestContext match) {
    return Api.document(match, api.health());
  }

  @GET
  @Path("livez/{check: .+}")
  public Answer livezOf(@Context ServerRequestContext match) {
    return Api.document(match, api.health());
  }

  @GET
  @Path("readyz")
  public Answer readyz(@Context ServerRequestContext match) {
    return Api.document(match, api.health());
  }

  @GET
  @Path("readyz/{check: .+}")
  public Answer readyzOf(@Context ServerRequestContext match) {
    return Api.document(match, api.health());
  }
}
