package dev.keelson.registry.conversion;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.registry.StoredObject;
import dev.keelson.registry.WriteOptions;
import dev.keelson.registry.read.ListPage;
import dev.keelson.registry.read.ListQuery;
import dev.keelson.testing.CustomTypes;
import dev.keelson.testing.LocalApi;
import dev.keelson.testing.TreeJson;
import dev.keelson.testing.WebhookServer;
import dev.keelson.webhook.WebhookClient;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Base64;
import java.util.Iterator;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A long list of objects in another version than the stored one, over HTTPS. */
@Timeout(60)
class ConvertedListTest {

  private static final int OBJECTS = 1000;

  private final AtomicInteger converted = new AtomicInteger();
  private volatile int failAfter = Integer.MAX_VALUE;
  private final WebhookServer server =
      new WebhookServer(
          "hook.one.svc",
          (exchange, body) -> {
            MapNode request = ((MapNode) TreeJson.read(body)).map("request");
            List<Node> objects =
                request.maps("objects").stream()
                    .<Node>map(
                        object ->
                            object.with("apiVersion", Node.text(request.text("desiredAPIVersion"))))
                    .toList();
            boolean fails = converted.addAndGet(objects.size()) > failAfter;
            MapNode response =
                MapNode.of("uid", Node.text(request.text("uid")))
                    .with(
                        "result",
                        CustomTypes.tree(
                            fails
                                ? "{'status':'Failure','message':'no more'}"
                                : "{'status':'Success'}"))
                    .with("convertedObjects", new Node.Items(objects));
            MapNode review =
                CustomTypes.tree(
                        "{'apiVersion':'apiextensions.k8s.io/v1','kind':'ConversionReview'}")
                    .with("response", response);
            WebhookServer.respond(
                exchange, 200, new String(TreeJson.write(review), StandardCharsets.UTF_8));
          });
  private final WebhookClient client =
      new WebhookClient(
          (_, _, _) -> InetSocketAddress.createUnresolved("127.0.0.1", server.port()));
  private final LocalApi api;

  ConvertedListTest(@TempDir Path directory) {
    api = LocalApi.open(directory);
    api.convertBy(new WebhookConverter(() -> client, UUID::randomUUID, ConversionMetrics.NONE));
    String bundle =
        Base64.getEncoder().encodeToString(server.pem().getBytes(StandardCharsets.US_ASCII));
    String schema =
        "'schema':{'openAPIV3Schema':{'type':'object','properties':{'spec':{'type':'object',"
            + "'properties':{'size':{'type':'integer'}}}}}}";
    CustomTypes.serve(
        api.catalog(),
        """
        {'metadata':{'name':'hosts.example.com','uid':'u'},
         'spec':{'group':'example.com','scope':'Namespaced',
          'conversion':{'strategy':'Webhook','webhook':{'conversionReviewVersions':['v1'],
           'clientConfig':{'caBundle':'%s','service':{'namespace':'one','name':'hook'}}}},
          'names':{'plural':'hosts','singular':'host','kind':'Host','listKind':'HostList'},
          'versions':[{'name':'v2','served':true,'storage':false,%s},
           {'name':'v1','served':true,'storage':true,%s}]}}
        """
            .formatted(bundle, schema, schema));
    for (int i = 0; i < OBJECTS; i++) {
      StoredObject unused =
          api.registry()
              .create(
                  api.collection("example.com/v1", "hosts", "default"),
                  api.object(
                      "example.com/v1",
                      "hosts",
                      "{'metadata':{'name':'n%05d'},'spec':{'size':%d}}".formatted(i, i)),
                  WriteOptions.PERSIST);
    }
  }

  @AfterEach
  void close() {
    api.close();
    client.close();
    server.close();
  }

  private Iterator<StoredObject> list() {
    return api.registry()
        .list(api.collection("example.com/v2", "hosts", "default"), ListQuery.ALL, ListPage.WHOLE)
        .items();
  }

  @Test
  void list_isConvertedAsItIsRead() {
    Iterator<StoredObject> items = list();
    int seen = 0;
    while (items.hasNext()) {
      MapNode object = api.served(items.next()).root();
      assertThat(object.text("apiVersion")).isEqualTo("example.com/v2");
      assertThat(object.map("spec").get("size")).isEqualTo(new Node.Int(seen));
      seen++;
      assertThat(converted.get() - seen).isLessThanOrEqualTo(250);
    }

    assertThat(seen).isEqualTo(OBJECTS);
    assertThat(server.requests()).isEqualTo((OBJECTS + 249) / 250);
    assertThat(server.connections()).isEqualTo(1);
  }

  @Test
  void failureInTheMiddle_endsTheList() {
    failAfter = 600;
    Iterator<StoredObject> items = list();
    for (int i = 0; i < 500; i++) {
      assertThat(items.next().revision()).isPositive();
    }

    assertThatThrownBy(items::next)
        .hasMessage("conversion webhook for example.com/v1, Kind=Host failed: no more");
  }
}
