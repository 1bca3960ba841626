package dev.keelson.registry;

import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.testing.LocalApi;
import java.util.ArrayList;
import java.util.List;

/** The managed fields of an object as tests compare them. */
public final class ManagedFieldsText {

  private ManagedFieldsText() {}

  /** Every entry as manager, operation, version, subresource if there is one, and fields. */
  public static List<String> of(ApiObject object) {
    List<String> entries = new ArrayList<>();
    for (Node node : object.meta().node().items("managedFields")) {
      MapNode entry = (MapNode) node;
      String subresource = entry.text("subresource");
      entries.add(
          String.join(" ", entry.text("manager"), entry.text("operation"), entry.text("apiVersion"))
              + (subresource.isEmpty() ? "" : " " + subresource)
              + " "
              + LocalApi.json(entry.map("fieldsV1")));
    }
    return entries;
  }
}
