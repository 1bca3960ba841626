package dev.keelson.audit.event;

import java.nio.charset.StandardCharsets;
import java.util.List;

/** Several events as one document, put together from the JSON that each has. */
public final class EventList {

  private static final byte[] HEAD =
      "{\"kind\":\"EventList\",\"apiVersion\":\"audit.k8s.io/v1\",\"metadata\":{},\"items\":["
          .getBytes(StandardCharsets.US_ASCII);
  private static final byte[] END = "]}".getBytes(StandardCharsets.US_ASCII);

  private EventList() {}

  /** An audit.k8s.io/v1 EventList; its items are without kind and version, as Kubernetes' are. */
  public static byte[] of(List<Event> events) {
    int size = HEAD.length + END.length;
    for (Event event : events) {
      size += event.size() - EventJson.HEAD.length() + 2;
    }
    JsonBuffer json = new JsonBuffer(size).raw(HEAD);
    boolean first = true;
    for (Event event : events) {
      byte[] one = event.json();
      json.raw(first ? "{" : ",{").raw(one, EventJson.HEAD.length(), one.length);
      first = false;
    }
    return json.raw(END).toBytes();
  }
}
