package dev.keelson.registry.conversion;

import dev.keelson.api.GroupVersion;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.schema.codec.ObjectReader;
import dev.keelson.schema.codec.ObjectWriter;
import dev.keelson.schema.codec.tree.DecodeException;
import dev.keelson.value.GoQuote;
import java.util.List;

/**
 * The message to and from a conversion webhook (source: apiextensions-apiserver, {@code
 * webhook_converter.go}).
 *
 * @param version the version of the message: {@code v1} or {@code v1beta1}
 * @param uid identifies the request; the response repeats it
 */
record ConversionReview(String version, String uid) {

  private static final String GROUP = "apiextensions.k8s.io";
  private static final String KIND = "ConversionReview";
  private static final String V1 = "v1";

  /**
   * A review in the first known version that a definition lists.
   *
   * @throws ConversionException if there is none
   */
  static ConversionReview of(List<Node> versions, String uid) throws ConversionException {
    for (Node each : versions) {
      if (each instanceof Node.Text(String version)
          && (version.equals(V1) || version.equals("v1beta1"))) {
        return new ConversionReview(version, uid);
      }
    }
    throw new ConversionException("no supported conversion review versions");
  }

  /** The request in JSON. */
  byte[] request(List<MapNode> objects, GroupVersion target) {
    MapNode request =
        MapNode.builder(3)
            .put("uid", Node.text(uid))
            .put("desiredAPIVersion", Node.text(target.toString()))
            .put("objects", new Node.Items(List.copyOf(objects)))
            .build();
    return ObjectWriter.json(
        MapNode.builder(3)
            .put("kind", Node.text(KIND))
            .put("apiVersion", Node.text(GROUP + "/" + version))
            .put("request", request)
            .build());
  }

  /**
   * The converted objects of a response.
   *
   * @throws ConversionException if the response is malformed or reports a failure
   */
  List<Node> objects(byte[] json) throws ConversionException {
    MapNode review = read(json);
    // v1beta1 never verified type and uid
    if (version.equals(V1) && !isV1(review)) {
      throw new ConversionException(
          "expected webhook response of "
              + GROUP
              + "/v1, Kind="
              + KIND
              + ", got "
              + shownType(review.text("apiVersion"), review.text("kind")));
    }
    if (!(review.get("response") instanceof MapNode response)) {
      throw new ConversionException("no response provided");
    }
    if (version.equals(V1) && !response.text("uid").equals(uid)) {
      throw new ConversionException(
          "expected response.uid="
              + GoQuote.quote(uid)
              + ", got "
              + GoQuote.quote(response.text("uid")));
    }
    MapNode result = response.map("result");
    if (!result.text("status").equals("Success")) {
      String message = result.text("message");
      throw new ConversionException(
          message.isEmpty()
              ? "response.result.status was '" + result.text("status") + "', not 'Success'"
              : message);
    }
    return response.items("convertedObjects");
  }

  private static MapNode read(byte[] json) throws ConversionException {
    try {
      if (ObjectReader.untypedJson(json) instanceof MapNode review) {
        return review;
      }
    } catch (DecodeException e) {
      throw new ConversionException("couldn't get version/kind; json parse error: " + e.text());
    }
    throw new ConversionException("couldn't get version/kind; json parse error: no JSON object");
  }

  private static boolean isV1(MapNode review) {
    return review.text("apiVersion").equals(GROUP + "/v1") && review.text("kind").equals(KIND);
  }

  /** A type as Go's {@code GroupVersionKind} prints it. */
  static String shownType(String apiVersion, String kind) {
    return (apiVersion.contains("/") ? apiVersion : "/" + apiVersion) + ", Kind=" + kind;
  }
}
