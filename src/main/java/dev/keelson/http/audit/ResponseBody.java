package dev.keelson.http.audit;

import dev.keelson.audit.ObjectSource;
import dev.keelson.audit.event.ObjectIdentity;

/**
 * The body of a response.
 *
 * @param mediaType its Content-Type
 */
record ResponseBody(String mediaType, byte[] body, BodyJson bodies) implements ObjectSource {

  @Override
  public byte[] json() {
    return bodies.of(mediaType, body);
  }

  @Override
  public ObjectIdentity identity() {
    // events are about the object of the request
    return ObjectIdentity.NONE;
  }
}
