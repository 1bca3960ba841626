package dev.keelson.bench;

import com.google.errorprone.annotations.FormatMethod;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/**
 * One curve as an SVG picture, both axes from zero. Each of few points has its values beside it; of
 * many, the highest and the last.
 */
final class Plot {

  private static final int WIDTH = 520;
  private static final int HEIGHT = 300;
  private static final int LEFT = 70;
  private static final int BOTTOM = 50;
  private static final int TOP = 40;
  private static final int FEW = 12;

  private Plot() {}

  /**
   * Writes a picture.
   *
   * @param points pairs of x and y, x rising
   */
  static void write(Path file, String title, String x, String y, List<double[]> points)
      throws IOException {
    double mostX = points.stream().mapToDouble(point -> point[0]).max().orElse(1);
    double mostY = Math.max(1e-9, points.stream().mapToDouble(point -> point[1]).max().orElse(1));
    StringBuilder line = new StringBuilder();
    StringBuilder marks = new StringBuilder();
    for (double[] point : points) {
      double px = LEFT + point[0] / mostX * (WIDTH - LEFT - 40);
      double py = HEIGHT - BOTTOM - point[1] / mostY * (HEIGHT - BOTTOM - TOP - 20);
      line.append(form("%.1f,%.1f ", px, py));
      if (points.size() <= FEW || point[1] == mostY || point == points.getLast()) {
        marks.append(
            form(
                "<circle cx='%.1f' cy='%.1f' r='3' fill='#1f6feb'/><text x='%.1f' y='%.1f'>%,.0f:"
                    + " %,.4g</text>\n",
                px, py, Math.min(px - 8, WIDTH - 110.0), py - 8, point[0], point[1]));
      }
    }
    Files.writeString(
        file,
        form(
            """
            <svg xmlns='http://www.w3.org/2000/svg' width='%d' height='%d' font-family='sans-serif' font-size='11'>
            <rect width='100%%' height='100%%' fill='white'/>
            <text x='%d' y='20' font-size='14'>%s</text>
            <path d='M%d %d V%d H%d' fill='none' stroke='#666'/>
            <text x='%d' y='%d'>%s</text>
            <text x='8' y='34'>%s</text>
            <polyline points='%s' fill='none' stroke='#1f6feb' stroke-width='1.5'/>
            %s</svg>
            """,
            WIDTH,
            HEIGHT,
            LEFT,
            title,
            LEFT,
            TOP,
            HEIGHT - BOTTOM,
            WIDTH - 20,
            WIDTH / 2,
            HEIGHT - 18,
            x,
            y,
            line,
            marks));
  }

  @FormatMethod
  private static String form(String form, Object... values) {
    return String.format(Locale.ROOT, form, values);
  }
}
