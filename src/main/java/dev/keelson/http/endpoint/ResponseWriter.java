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
 * Sends responses. It takes over the connection and sends the status, headers and body of the
 * ApiResponse itself: the streams of JAX-RS end an aborted body as if it were complete, and have no
 * back-pressure.
 */
@Provider
public class ResponseWriter implements ServerMessageBodyWriter<ApiResponse> {

  /** The media type that all methods produce, which disables negotiation; not sent to clients. */
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
    // the framework would set its own headers before the head is sent
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
