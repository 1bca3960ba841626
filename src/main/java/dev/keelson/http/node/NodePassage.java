package dev.keelson.http.node;

import dev.keelson.http.ApiResponse;
import dev.keelson.http.Exchange;
import dev.keelson.http.RequestContent;
import dev.keelson.http.RequestHandler;
import dev.keelson.http.connection.Delegation;
import dev.keelson.http.relay.ClientRequest;
import io.vertx.core.Context;
import io.vertx.core.http.HttpServerRequest;

/**
 * A request for a node, a pod or a service. It passes the verbs as every other, which find the
 * client's connection in its content.
 */
final class NodePassage implements Delegation.Passage {

  private final RequestHandler resources;
  private final ClientRequest client;

  NodePassage(RequestHandler resources, HttpServerRequest request, Context context) {
    this.resources = resources;
    this.client = new ClientRequest(request, context);
  }

  /** The body of the client's request, which is only passed on. */
  record Unread(ClientRequest client) implements RequestContent {

    @Override
    public byte[] bytes() {
      return new byte[0];
    }

    @Override
    public boolean taken() {
      return false;
    }

    @Override
    public long length() {
      return 0;
    }
  }

  @Override
  public ApiResponse answer(Exchange exchange) {
    return resources.answer(
        new Exchange(
            exchange.request().with(new Unread(client)), exchange.info(), exchange.context()));
  }

  @Override
  public boolean isLimited() {
    return false;
  }

  @Override
  public boolean takesBody() {
    return client.takesBody();
  }

  @Override
  public void end() {
    client.end();
  }

  @Override
  public void shutDown() {
    client.finish();
  }
}
