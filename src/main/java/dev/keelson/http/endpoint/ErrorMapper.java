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
 * Answers what JAX-RS throws. Errors of the API itself do not come here: the filter chain turns
 * them into a Status, since metrics and audit want to see the answer.
 */
@Singleton
public class ErrorMapper {

  private final Api api;

  @Inject
  public ErrorMapper(Api api) {
    this.api = api;
  }

  /** No resource class has the path or the method; who asks may still be refused first. */
  @ServerExceptionMapper({NotFoundException.class, NotAllowedException.class})
  public Uni<RestResponse<ApiResponse>> unmatched(RoutingContext routing) {
    return Uni.createFrom()
        .emitter(
            answered ->
                api.intake()
                    .answerUnmatched(
                        Call.of(routing), answer -> answered.complete(RestResponse.ok(answer))));
  }

  /** A defect of this program. */
  @ServerExceptionMapper
  public RestResponse<ApiResponse> defect(Exception error, RoutingContext routing) {
    return RestResponse.ok(Call.of(routing).failed(error));
  }
}
