"""`surpeer serve --demo`: what it prints gets one in, and what is there to see is seen."""

from pathlib import Path

from web.demo_server import Browser, chair_of, ranking_of
from web.running import RunningServer


def test_the_links_and_the_password_it_prints_get_one_in(tmp_path: Path) -> None:
    with RunningServer.started(tmp_path / "unused", options=("--demo",)) as server:
        assert "Everything you do here is gone when it stops." in server.text
        assert not (tmp_path / "unused").exists()
        papers = Browser(server).get(server.link("/r/"))
        assert "My papers" in papers
        assert "Left to review" in papers
        chair = chair_of(server)
        assert "reviews are missing" in chair.get("/venues/workshop/")
        ranking = ranking_of(chair, "conference")  # computed and shown with polars, which a careless fork would stop
        assert "Probability of acceptance" in ranking
