package dev.keelson.http.endpoint;

import dev.keelson.http.ApiResponse;
import dev.keelson.http.connection.Call;
import io.smallrye.mutiny.Uni;
import io.vertx.ext.web.RoutingContext;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import jakarta.ws.rs.NotAllowedException;
import jakarta.ws.rs.NotFoundException;
import org.jboss.resteasy.reactive.RestResponse;
import org.jboss.resteasy.reactive.server.ServerExceptionMapper;

/**
 * Maps exceptions of JAX-RS. API errors do not reach it: the filter chain turns them into a Status,
 * so that metrics include them.
 */
@Singleton
public class ErrorMapper {

  private final Api api;

  @Inject
  public ErrorMapper(Api api) {
    this.api = api;
  }

  /**
   * No resource class has the path or the method; the filter chain may still reject the request
   * first.
   */
  @ServerExceptionMapper({NotFoundException.class, NotAllowedException.class})
  public Uni<RestResponse<ApiResponse>> unmatched(RoutingContext routing) {
    return Uni.createFrom()
        .emitter(
            answered ->
                api.intake()
                    .answerUnmatched(
                        Call.of(routing), answer -> answered.complete(RestResponse.ok(answer))));
  }

  /** A bug in this server. */
  @ServerExceptionMapper
  public RestResponse<ApiResponse> defect(Exception error, RoutingContext routing) {
    return RestResponse.ok(Call.of(routing).failed(error));
  }
}
