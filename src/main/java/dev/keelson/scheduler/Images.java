package dev.keelson.scheduler;

import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * How much of the images of a pod a node has (source: kube-scheduler's plug-in ImageLocality).
 * Images that few nodes have count less, so that pods do not all go where the image was first.
 */
final class Images {

  private static final long MEBIBYTE = 1 << 20;
  private static final long LEAST = 23 * MEBIBYTE;
  private static final long MOST_OF_CONTAINER = 1000 * MEBIBYTE;
  private static final int MOST = 100;

  private Images() {}

  /** The images of the containers of a pod, with tags. */
  static List<String> of(MapNode podSpec) {
    List<String> images = new ArrayList<>();
    for (String list : List.of("containers", "initContainers")) {
      for (MapNode container : podSpec.maps(list)) {
        images.add(tagged(container.text("image")));
      }
    }
    return images;
  }

  private static String tagged(String image) {
    return image.lastIndexOf(':') <= image.lastIndexOf('/') ? image + ":latest" : image;
  }

  /** The sizes in bytes of the images that a node has, by each of their names. */
  static Map<String, Long> onNode(MapNode nodeStatus) {
    Map<String, Long> sizes = new HashMap<>();
    for (MapNode image : nodeStatus.maps("images")) {
      long size = Numbers.of(image, "sizeBytes");
      // many nodes have the same images
      for (Node name : image.items("names")) {
        if (name instanceof Node.Text text) {
          Long unused = sizes.put(text.value().intern(), size);
        }
      }
    }
    return sizes;
  }

  /**
   * The score of a node, from 0 to 100.
   *
   * @param images those of the pod
   * @param sizes those of the node
   * @param spread how many nodes have an image, by its name
   * @param nodes how many there are
   */
  static long score(
      List<String> images, Map<String, Long> sizes, Map<String, Integer> spread, int nodes) {
    long sum = 0;
    for (String image : images) {
      Long size = sizes.get(image);
      if (size != null) {
        sum += (long) (size * ((double) spread.getOrDefault(image, 0) / nodes));
      }
    }
    long most = MOST_OF_CONTAINER * images.size();
    return most <= LEAST ? 0 : MOST * (Math.clamp(sum, LEAST, most) - LEAST) / (most - LEAST);
  }
}
