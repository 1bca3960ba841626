package dev.keelson.http.endpoint;

import dev.keelson.http.ApiResponse;
import dev.keelson.http.connection.Call;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.MultivaluedMap;
import jakarta.ws.rs.ext.Provider;
import java.io.OutputStream;
import java.lang.annotation.Annotation;
import java.lang.reflect.Type;
import org.jboss.resteasy.reactive.server.spi.ResteasyReactiveResourceInfo;
import org.jboss.resteasy.reactive.server.spi.ServerMessageBodyWriter;
import org.jboss.resteasy.reactive.server.spi.ServerRequestContext;

/**
 * Sends answers. The status, the header lines and the body are those of the answer, whose
 * connection this takes over: JAX-RS's own streams end a body that breaks off as if it were whole,
 * and wait for no slow reader.
 */
@Provider
public class ResponseWriter implements ServerMessageBodyWriter<ApiResponse> {

  /** What methods declare to produce, so that nothing is negotiated; no client sees it. */
  static final String TYPE = "application/x-keelson-answer";

  @Override
  public boolean isWriteable(
      Class<?> type, Type generic, ResteasyReactiveResourceInfo target, MediaType mediaType) {
    return type == ApiResponse.class;
  }

  @Override
  public boolean isWriteable(
      Class<?> type, Type generic, Annotation[] annotations, MediaType mediaType) {
    return type == ApiResponse.class;
  }

  @Override
  public void writeResponse(ApiResponse answer, Type generic, ServerRequestContext context) {
    // the framework would set its own header lines just before the head is sent
    context.serverResponse().setPreCommitListener(null);
    Call.of(Api.routing(context)).send(answer);
  }

  @Override
  public void writeTo(
      ApiResponse answer,
      Class<?> type,
      Type generic,
      Annotation[] annotations,
      MediaType mediaType,
      MultivaluedMap<String, Object> headers,
      OutputStream out) {
    throw new UnsupportedOperationException("answers are written to connections");
  }
}
