package dev.keelson.server.identity;

import dev.keelson.authn.UnexpectedResponseException;
import dev.keelson.authz.webhook.RetryableException;
import dev.keelson.authz.webhook.ReviewService;
import dev.keelson.object.Node.MapNode;
import dev.keelson.schema.codec.ObjectReader;
import dev.keelson.schema.codec.ObjectWriter;
import dev.keelson.schema.codec.tree.DecodeException;
import dev.keelson.server.lifecycle.FileReloader;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.function.Function;

/**
 * Sends reviews to a webhook or another API server.
 *
 * @param remote the server of the current kubeconfig
 * @param place the URL of reviews on the server
 */
record WebhookClient(
    FileReloader.Current<RemoteKubeconfig> remote, Function<RemoteKubeconfig, URI> place)
    implements ReviewService {

  /** A webhook, whose kubeconfig has the complete URL. */
  WebhookClient(FileReloader.Current<RemoteKubeconfig> remote) {
    this(remote, RemoteKubeconfig::address);
  }

  @Override
  public MapNode ask(MapNode review) throws IOException {
    RemoteKubeconfig now = remote.get();
    URI uri = place.apply(now);
    String json = new String(ObjectWriter.json(review), StandardCharsets.UTF_8);
    String answer;
    try {
      answer = now.service().post(uri, json);
    } catch (IOException e) {
      // some exceptions have no message
      String why = e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
      String message = "Post \"" + uri + "\": " + why;
      throw UnexpectedResponseException.isRetryable(e)
          ? new RetryableException(message, e)
          : new IOException(message, e);
    }
    try {
      if (ObjectReader.untypedJson(answer.getBytes(StandardCharsets.UTF_8))
          instanceof MapNode object) {
        return object;
      }
      throw new IOException(uri + " did not return an object");
    } catch (DecodeException e) {
      throw new IOException(uri + " returned malformed JSON: " + e.text(), e);
    }
  }
}
