package dev.keelson.testing;

import java.awt.image.BufferedImage;
import java.awt.image.DataBuffer;
import java.awt.image.IndexColorModel;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import javax.imageio.ImageIO;

/** Makes PNGs of pages small: the 256 most frequent colours, to which all others are rounded. */
final class SmallPicture {

  private static final int COLOURS = 256;

  private SmallPicture() {}

  static byte[] of(byte[] png) throws IOException {
    BufferedImage full = ImageIO.read(new ByteArrayInputStream(png));
    Map<Integer, Integer> counts = new HashMap<>();
    for (int y = 0; y < full.getHeight(); y++) {
      for (int x = 0; x < full.getWidth(); x++) {
        counts.merge(full.getRGB(x, y) & 0xffffff, 1, Integer::sum);
      }
    }
    List<Integer> palette =
        counts.entrySet().stream()
            .sorted(Map.Entry.<Integer, Integer>comparingByValue().reversed())
            .limit(COLOURS)
            .map(Map.Entry::getKey)
            .toList();
    int[] colours = palette.stream().mapToInt(each -> each).toArray();
    IndexColorModel model =
        new IndexColorModel(8, colours.length, colours, 0, false, -1, DataBuffer.TYPE_BYTE);
    BufferedImage small =
        new BufferedImage(
            full.getWidth(), full.getHeight(), BufferedImage.TYPE_BYTE_INDEXED, model);
    Map<Integer, Integer> places = new HashMap<>();
    for (int y = 0; y < full.getHeight(); y++) {
      for (int x = 0; x < full.getWidth(); x++) {
        int place =
            places.computeIfAbsent(full.getRGB(x, y) & 0xffffff, each -> nearest(each, colours));
        small.getRaster().setSample(x, y, 0, place);
      }
    }
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ImageIO.write(small, "png", out);
    return out.toByteArray();
  }

  private static int nearest(int colour, int[] colours) {
    int best = 0;
    int least = Integer.MAX_VALUE;
    for (int i = 0; i < colours.length; i++) {
      int red = (colour >> 16 & 0xff) - (colours[i] >> 16 & 0xff);
      int green = (colour >> 8 & 0xff) - (colours[i] >> 8 & 0xff);
      int blue = (colour & 0xff) - (colours[i] & 0xff);
      int distance = red * red + green * green + blue * blue;
      if (distance < least) {
        least = distance;
        best = i;
      }
    }
    return best;
  }
}
