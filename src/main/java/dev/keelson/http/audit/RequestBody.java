package dev.keelson.http.audit;

import dev.keelson.audit.ObjectSource;
import dev.keelson.audit.event.JsonDocument;
import dev.keelson.audit.event.ObjectIdentity;
import dev.keelson.http.ApiRequest;
import dev.keelson.schema.codec.protobuf.Envelope;

/** The body of a request; converted once, and only if it has to be. */
final class RequestBody implements ObjectSource {

  private final ApiRequest request;
  private final BodyJson bodies;
  private byte[] json = {};
  private boolean converted;

  RequestBody(ApiRequest request, BodyJson bodies) {
    this.request = request;
    this.bodies = bodies;
  }

  @Override
  public byte[] json() {
    if (!converted) {
      json = bodies.of(request.header("Content-Type"), request.body());
      converted = true;
    }
    return json;
  }

  @Override
  public ObjectIdentity identity() {
    byte[] body = request.body();
    return Envelope.begins(body) ? ProtobufIdentity.of(body) : JsonDocument.identity(json());
  }
}
